// createAjv does not validate schemas; this test does.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'

const folder = join(root, 'schemas')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })

/** Calls `found` for each top-level schema in `value`. */
function eachSchema(value: unknown, found: (schema: object) => void, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if ('~kind' in value) found(value)
  else for (const member of Object.values(value)) eachSchema(member, found, seen)
}

const faultsOf = (schema: object): string[] => {
  void ajv.validateSchema(schema)
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

test('contains only valid JSON Schemas', async () => {
  let count = 0
  const wrong: string[] = []
  for (const file of files) {
    const module = (await import(join(folder, file))) as Record<string, unknown>
    for (const [name, value] of Object.entries(module))
      eachSchema(value, (schema) => {
        count++
        wrong.push(...faultsOf(schema).map((fault) => `${file}: ${name}${fault}`))
      })
  }
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(200)
  expect(faultsOf({ type: 'text' })).not.toEqual([])
})
