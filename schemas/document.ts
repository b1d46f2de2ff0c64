import * as Type from 'typebox'
import { checkTitle, DocumentTags, DocumentTitle, LONGEST_DECLARED } from './docstore/document.ts'
import { manifestObject, oneFault, resolvePath, type Fault, type KindDefinition, type ManifestContext } from './kind.ts'
import { closedFault } from './validation/closed-file.ts'
import { textFault } from './validation/text.ts'
import { lfsPointerFault } from './validation/lfs-pointer.ts'
import { canonical, costIn, inputOf, keyedIn, shaped, sortedSet, widensIn, type SpecOf } from './members.ts'
import { never } from './members/widening.ts'

const documentMembers = {
  title: shaped(DocumentTitle, (written, { name }: { name: string }) => written ?? name, {
    widens: never,
  }),
  content: shaped(Type.String({ maxLength: LONGEST_DECLARED, description: 'Markdown' }), (written) => written ?? '', {
    widens: never,
  }),
  tags: shaped(DocumentTags, sortedSet, { keyed: '.', widens: never }),
}

export const DocumentManifest = manifestObject('Document', 'A document managed by manifests; its id is its name', {
  ...inputOf(documentMembers),
  content_file: Type.Optional(
    Type.String({ description: 'File with the text, in the folder of the source or below it' }),
  ),
})
export type DocumentManifest = Type.Static<typeof DocumentManifest>

/** Canonical form, also produced from live documents. */
export interface DocumentSpec extends SpecOf<typeof documentMembers> {
  name: string
}

export const documentKind: KindDefinition<DocumentSpec> = {
  kind: 'documents',
  title: 'document',
  manifestKind: 'Document',
  schema: DocumentManifest,
  secrets: [],
  check: (manifest: DocumentManifest, context) => [...checkTitle(manifest.title), ...textFaults(manifest, context)],
  references: () => [],
  canonicalise: (manifest: DocumentManifest, context) => ({
    name: manifest.name,
    ...canonical(documentMembers, { ...manifest, content: textOf(manifest, context) }),
  }),
  change: costIn(documentMembers),
  namedById: true,
  keyed: keyedIn(documentMembers),
  widens: widensIn(documentMembers),
  spellings: { content: ['content_file'] },
}

/** Null if neither field is given or the file cannot be read. */
function textOf({ content, content_file }: DocumentManifest, context: ManifestContext): string | null {
  if (content_file === undefined) return content ?? null
  const read = context.readText(resolvePath(content_file, context))
  return 'text' in read ? read.text : null
}

function unreadFault(file: string, context: ManifestContext): Omit<Fault, 'path'> {
  const read = context.readText(resolvePath(file, context))
  if ('fault' in read && read.fault === 'lfs-pointer') return lfsPointerFault(`the file "${file}"`)
  if ('fault' in read && read.fault === 'closed') return closedFault(`the file "${file}"`)
  return {
    code: 'file-unreadable',
    message: `the file "${file}" cannot be read, or is outside the folder of the source`,
    hint: 'use a file below that folder; relative paths start at the folder of this manifest',
  }
}

function textFaults(manifest: DocumentManifest, context: ManifestContext): Fault[] {
  const { content, content_file } = manifest
  const members = ['content', 'content_file']
  if (content === undefined && content_file === undefined)
    return [
      {
        path: [],
        members,
        code: 'missing-member',
        message: 'the text is missing',
        hint: 'add content or content_file',
      },
    ]
  const path = [content_file === undefined ? 'content' : 'content_file']
  const twice = 'the text is given twice: content and content_file'
  if (content !== undefined && content_file !== undefined)
    return oneFault(path, 'conflicting-members', twice, 'keep one of them')
  const text = textOf(manifest, context)
  if (text === null) return [{ path, ...unreadFault(content_file!, context) }]
  const fault = textFault(text)
  if (fault) return oneFault(path, 'invalid-value', `contains ${fault.seen}`, 'remove it')
  if (text.length > LONGEST_DECLARED)
    return oneFault(
      path,
      'invalid-value',
      `has ${text.length} characters, at most ${LONGEST_DECLARED} are allowed`,
      'split the document, or create it with "agent doc create --help"',
    )
  return []
}
