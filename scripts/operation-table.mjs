// Writes web/client/table.ts: method and path of each operation, without its schemas, for the browser.
import { join } from 'node:path'

export const TABLE = join('web', 'client', 'table.ts')

const HEAD = `// Written by \`npm run build\` from schemas/operations: do not edit.

/** Method and path of each operation, by its id. */
export const table = {
`

/** `groups`: the operations of each service. */
export function operationTable(groups) {
  const lines = groups
    .flatMap(({ operations }) => Object.values(operations))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, method, path }) => `  '${id}': '${method} ${path}',\n`)
  return `${HEAD}${lines.join('')}} as const\n`
}
