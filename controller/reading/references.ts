import type { KnownKinds } from './desired-state.ts'
import type { KindDefinition, Reference } from '../../schemas/kind.ts'
import { findKind } from '../../schemas/kinds.ts'
import { nearestHint } from '../../schemas/validation/nearest.ts'
import type { ShapeFault } from '../../schemas/validation/manifest.ts'

/** Kinds expect well-formed manifests; otherwise (`sound` false) their exceptions are ignored. */
export function ownReferences(definition: KindDefinition<any>, manifest: unknown, sound: boolean): Reference[] {
  try {
    return definition.references(manifest).filter((reference) => typeof reference.name === 'string')
  } catch (error) {
    if (sound) throw error
    return []
  }
}

export function dependsOn(
  manifest: { depends_on?: unknown },
  known: KnownKinds,
): { references: Reference[]; faults: ShapeFault[] } {
  const references: Reference[] = []
  const faults: ShapeFault[] = []
  const all = known.kinds
  for (const [index, entry] of Array.isArray(manifest.depends_on) ? manifest.depends_on.entries() : []) {
    if (typeof entry !== 'string') continue
    const [word, ...rest] = entry.split('/') as [string, ...string[]]
    const kind = findKind(word, all)
    const path = ['depends_on', index]
    if (kind) references.push({ kind: kind.kind, name: rest.join('/'), path })
    else
      faults.push({
        path,
        side: 'value',
        words: [],
        code: 'unknown-kind',
        message: `unknown kind "${word}"`,
        hint: nearestHint(
          word,
          all.map((other) => other.kind),
          `write kind/name with one of ${all.map((other) => other.kind).join(', ')}`,
        ),
      })
  }
  return { references, faults }
}
