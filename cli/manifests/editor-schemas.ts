// JSON Schemas as files, and the manifest line that references them for editors.
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { kinds } from '../../schemas/kinds.ts'
import { SourceFile } from '../../schemas/source.ts'
import { Failure } from '../failure.ts'

/** Manifest scans skip dotfolders. */
export const SCHEMAS_FOLDER = '.schemas'

export const schemaDocument = (schema: object): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...schema,
})

/** Schemas by file name. */
const SCHEMAS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(kinds.map(({ kind, schema }) => [kind, schema])),
  svc: SourceFile,
}

/** Overwrites the schema files and returns their number. */
export async function writeSchemas(folder: string): Promise<number> {
  try {
    await mkdir(folder, { recursive: true })
    for (const [name, schema] of Object.entries(SCHEMAS))
      await writeFile(join(folder, `${name}.json`), `${JSON.stringify(schemaDocument(schema), null, 2)}\n`)
  } catch (error) {
    throw new Failure(`cannot write the schemas: ${(error as Error).message}`, {
      where: folder,
      hint: 'use a writable folder',
    })
  }
  return Object.keys(SCHEMAS).length
}

/** First line of a manifest in `folder`, with the relative path of its schema. */
export function modeline(name: string, { folder, schemas }: { folder: string; schemas: string }): string {
  const path = join(relative(resolve(folder), resolve(schemas)), `${name}.json`)
  return `# yaml-language-server: $schema=${path.split(sep).join('/')}`
}
