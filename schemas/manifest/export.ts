// What is live as manifests: the answer of `GET /export`.
import * as Type from 'typebox'
import { ManifestFile } from '../plan.ts'
import { closedObject, namedObject } from '../shapes.ts'

export const Exported = namedObject('Exported', {
  manifests: Type.Array(ManifestFile, { description: 'One resource each, as <kind>/<name>.yml' }),
  variables: Type.Array(Type.String(), {
    description: 'What stands in place of secrets, which are never exported: to be set where the manifests are read',
  }),
  warnings: Type.Array(closedObject({ kind: Type.String(), name: Type.String(), message: Type.String() }), {
    description: 'What is live and no manifest can say, or not all of it',
  }),
})
export type Exported = Type.Static<typeof Exported>

/** All of it as one YAML text of several documents, each with its kind; what is to be known first, as comments. */
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
