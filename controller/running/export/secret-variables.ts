import type { KindDefinition, Path } from '../../../schemas/kind.ts'
import { Secret } from '../../../schemas/secret.ts'
import { sameSpec } from '../../planning/masking.ts'
import type { LiveResource } from './live-names.ts'

type Members = Record<string, unknown>

/**
 * Named after the secret's owner, as in `PLANNER_TOKEN`, so that an unrelated variable does not match. Two secrets
 * never share one.
 */
export class Variables {
  readonly #secrets = new Map<string, Secret>()
  readonly #used = new Map<string, string[]>()

  /** Returns the spec with `${NAME}` for each secret. */
  replaceSecrets({ kind }: KindDefinition<any>, name: string, spec: Members): { spec: Members; used: string[] } {
    const used: string[] = []
    const replaced = replace(spec, [], (secret, path) => {
      const variable = this.#nameFor(`${name}_${path.at(-1)}`, secret)
      used.push(variable)
      return `\${${variable}}`
    })
    if (used.length > 0) this.#used.set(`${kind}/${name}`, used)
    return { spec: replaced as Members, used }
  }

  usedBy(resources: readonly LiveResource[]): string[] {
    const used = resources.flatMap(({ definition, name }) => this.#used.get(`${definition.kind}/${name}`) ?? [])
    return [...new Set(used)].sort()
  }

  /** Only for reading manifests back; never shown. */
  value(name: string): string | undefined {
    return this.#secrets.get(name)?.reveal()
  }

  #nameFor(words: string, secret: Secret): string {
    const plain = words.toUpperCase().replace(/[^A-Z0-9_]/g, '_')
    const first = /^\d/.test(plain) ? `_${plain}` : plain
    for (let count = 1; ; count++) {
      const name = count === 1 ? first : `${first}_${count}`
      const taken = this.#secrets.get(name)
      if (taken && !sameSpec(taken, secret)) continue
      this.#secrets.set(name, secret)
      return name
    }
  }
}

function replace(value: unknown, path: Path, text: (secret: Secret, path: Path) => string): unknown {
  if (value instanceof Secret) return text(value, path)
  if (Array.isArray(value)) return value.map((item, index) => replace(item, [...path, index], text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replace(member, [...path, name], text)]),
  )
}
