// The schema of each kind as a file, and the line of a manifest that names it: editors complete and check by them.
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { kinds } from '../../schemas/kinds.ts'
import { SourceFile } from '../../schemas/source.ts'
import { Failure } from '../failure.ts'

/** Below a folder of manifests; a dotfolder is not read as one. */
export const SCHEMAS_FOLDER = '.schemas'

export const schemaDocument = (schema: object): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...schema,
})

/** By the name of the file each is kept in: those of the kinds, and that of `svc.yaml`. */
const SCHEMAS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(kinds.map(({ kind, schema }) => [kind, schema])),
  svc: SourceFile,
}

/** They are written anew: nothing else stands there. Returns how many. */
export async function keepSchemas(folder: string): Promise<number> {
  try {
    await mkdir(folder, { recursive: true })
    for (const [name, schema] of Object.entries(SCHEMAS))
      await writeFile(join(folder, `${name}.json`), `${JSON.stringify(schemaDocument(schema), null, 2)}\n`)
  } catch (error) {
    throw new Failure(`the schemas cannot be kept: ${(error as Error).message}`, {
      where: folder,
      hint: 'name a folder you may write to',
    })
  }
  return Object.keys(SCHEMAS).length
}

/** The first line of a manifest in `folder`, by the schema that stands in another one. */
export function modeline(name: string, { folder, schemas }: { folder: string; schemas: string }): string {
  const path = join(relative(resolve(folder), resolve(schemas)), `${name}.json`)
  return `# yaml-language-server: $schema=${path.split(sep).join('/')}`
}
