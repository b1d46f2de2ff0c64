import * as Type from 'typebox'
import { ManifestFile } from '../plan.ts'
import { closedObject, namedObject } from '../shapes.ts'

export const Exported = namedObject('Exported', {
  manifests: Type.Array(ManifestFile, { description: 'One resource per file, as <kind>/<name>.yml' }),
  variables: Type.Array(Type.String(), {
    description: 'Variables that replace secrets, which are never exported; set them where the manifests are read',
  }),
  warnings: Type.Array(closedObject({ kind: Type.String(), name: Type.String(), message: Type.String() }), {
    description: 'Live state that manifests cannot express, or only in part',
  }),
})
export type Exported = Type.Static<typeof Exported>

/** One YAML text with a document per resource, preceded by warnings as comments. */
export function asOneText(
  { manifests, warnings }: Exported,
  kinds: readonly { kind: string; manifestKind: string }[],
): string {
  const comments = warnings.map(({ kind, name, message }) => `# ${kind}/${name}: ${message.replace(/\s+/g, ' ')}\n`)
  const documents = manifests.map(({ path, content }) => {
    const kind = kinds.find((each) => path.startsWith(`${each.kind}/`))
    return `---\n# ${path}\nkind: ${kind!.manifestKind}\n${content}`
  })
  return [...comments, ...documents].join('')
}
