// Every kind and every service has the same files.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { commonMembers } from '../schemas/kind.ts'
import { kinds } from '../schemas/kinds.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const absent = (paths: string[]) => paths.filter((path) => !existsSync(join(root, path)))

describe.each(kinds.map((kind) => ({ kind: kind.kind, title: kind.title })))('the kind $kind', ({ kind, title }) => {
  test('has a schema, a reconciler, a page and tests', () => {
    const reconciler = existsSync(join(root, 'reconcilers', title))
      ? `reconcilers/${title}/index.ts`
      : `reconcilers/${title}.ts`
    expect(
      absent([`schemas/${title}.ts`, reconciler, `docs/kinds/${title}.md`, `test/reconcilers/${title}.test.ts`]),
    ).toEqual([])
  })

  test('has an example that the daemon converges', () => {
    const examples = existsSync(join(root, 'manifests', kind))
      ? readdirSync(join(root, 'manifests', kind)).filter((file) => /\.ya?ml$/.test(file))
      : []
    expect(examples).not.toEqual([])
  })

  test('has a page that names all its fields', () => {
    const page = readFileSync(join(root, 'docs', 'kinds', `${title}.md`), 'utf8')
    const schema = kinds.find((other) => other.kind === kind)!.schema as { properties?: Record<string, unknown> }
    expect(
      Object.keys(schema.properties ?? {}).filter(
        (member) => !(member in commonMembers) && !page.includes(`\`${member}\``),
      ),
    ).toEqual([])
  })
})

const services = readdirSync(join(root, 'services'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

describe.each(services)('the service %s', (service) => {
  test('has a face, migrations, routes and a page, and is registered', () => {
    const routes = existsSync(join(root, 'api', service)) ? `api/${service}` : `api/${service}.ts`
    const files = ['service.ts', 'face.ts', 'migrations.ts'].map((file) => `services/${service}/${file}`)
    expect(absent([...files, routes, `docs/services/${service}.md`])).toEqual([])
    expect(readFileSync(join(root, 'daemon', 'services.ts'), 'utf8')).toContain(`services/${service}/service.ts`)
  })
})
