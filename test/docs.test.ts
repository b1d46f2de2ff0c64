// docs/api.md and docs/configuration.md agree with the operations and settings.
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { services } from '../daemon/services.ts'
import { variableOf, type Settings } from '../platform/service/settings.ts'
import { everyService } from '../schemas/operations/services.ts'
import { endpointOf, type Operation } from '../schemas/operations/operation.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const page = (path: string) => readFileSync(join(root, 'docs', path), 'utf8')
const all = services({ sources: [] })

test('lists every service in everyService', () => {
  expect(everyService.map(({ service }) => service).sort()).toEqual(all.map(({ name }) => name).sort())
})

/** Cells of the table rows below a heading. */
function rowsBelow(text: string, heading: string): string[][] {
  const [, after = ''] = text.split(`\n### ${heading}\n`)
  const lines = after
    .split('\n')
    .filter((_line, index, kept) => kept.slice(0, index + 1).every((each) => !each.startsWith('#')))
  return lines
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

describe.each(all.map((served) => ({ name: served.name, served })))('docs/api.md of the $name', ({ name, served }) => {
  test('lists exactly the operations of the service with their summaries', () => {
    const operations = Object.values<Operation>(served.definition.operations.operations)
    const wanted = operations.map((operation) => [`\`${endpointOf(operation)}\``, operation.summary])
    expect(rowsBelow(page('api.md'), name)).toEqual(wanted)
  })
})

test('names every setting with its default in docs/configuration.md', () => {
  const text = page('configuration.md')
  const wanted = all.flatMap(({ name, definition }) =>
    Object.entries(definition.settings as Settings).map(([setting, { default: usual, ...rest }]) => ({
      variable: variableOf(name, setting, { default: usual, ...rest }),
      // Empty defaults are written as none.
      usual: usual === null || String(usual) === '' ? 'none' : String(usual),
    })),
  )
  const missing = wanted.filter(({ variable, usual }) => !new RegExp(`\`${variable}\` \\| \`?${usual}\`? `).test(text))
  expect(missing).toEqual([])
})
