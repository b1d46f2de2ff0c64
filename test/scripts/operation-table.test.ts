import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operationTable, TABLE } from '../../scripts/operation-table.mjs'
import { everyService } from '../../schemas/operations/services.ts'
import '../support/built.ts'
import { root } from '../support/root.ts'

const operations = everyService.flatMap((group) => Object.values(group.operations))

test('lists id, method and path of every operation once', () => {
  const entries = [...operationTable(everyService).matchAll(/^ {2}'([\w.-]+)': '(\w+) (\S+)',$/gm)]
  const expected = operations.map(({ id, method, path }) => [id, method, path].join(' '))
  expect(entries.map(([, ...facts]) => facts.join(' '))).toEqual(expected.toSorted())
})

test('is written by the build', () => {
  expect(readFileSync(join(root, TABLE), 'utf8')).toBe(operationTable(everyService))
})
