import * as Type from 'typebox'
import { Document, DocumentDeleted, DocumentInput, DocumentUpdate } from '../../../schemas/docstore/document.ts'
import { DocumentId } from '../../../schemas/docstore/document.ts'
import { closed, tool, type Tool } from './tool.ts'

const id = { ...DocumentId, description: 'Id of the document, as listed by doc_list' }
const { title, content, tags, created_by } = DocumentInput.properties
const missing = { 404: 'Call doc_list to see the existing ids.' }
const MOST_LISTED = 100

/** Models read the content on demand. */
const { content: _content, ...listed } = Document.properties

export const documentTools: readonly Tool[] = [
  tool({
    name: 'doc_create',
    title: 'Create a document',
    description:
      'Creates a Markdown document that people and other agents can read. The id is derived from the title and is ' +
      'returned. To change an existing document, use doc_update.',
    input: closed({ title, content, tags, created_by }),
    output: Document,
    effect: 'adds',
    call: async (body, { docstore, self }) =>
      (await docstore.createDocument({ body: { ...body, created_by: body.created_by ?? self } })).document,
  }),
  tool({
    name: 'doc_read',
    title: 'Read a document',
    description: 'Returns the text of a document, with its title, tags and times.',
    input: closed({ id }),
    output: Document,
    effect: 'reads',
    next: missing,
    call: (params, { docstore }) => docstore.getDocument({ params }),
  }),
  tool({
    name: 'doc_update',
    title: 'Change a document',
    description:
      'Changes title, text or tags of a document; omitted fields stay unchanged. The text is replaced as a whole: read it with ' +
      'doc_read first. The id does not change.',
    input: closed({ id, ...DocumentUpdate.properties }),
    output: Document,
    effect: 'changes',
    next: { ...missing, 409: 'Read it again with doc_read, then apply the change to the current text.' },
    call: ({ id: asked, ...body }, { docstore }) => docstore.updateDocument({ params: { id: asked }, body }),
  }),
  tool({
    name: 'doc_delete',
    title: 'Delete a document',
    description: 'Deletes a document and its earlier revisions. This cannot be undone.',
    input: closed({ id }),
    output: DocumentDeleted,
    effect: 'deletes',
    next: missing,
    call: (params, { docstore }) => docstore.deleteDocument({ params }),
  }),
  tool({
    name: 'doc_list',
    title: 'List documents',
    description:
      `Lists documents with any of the tags, by creator, or with all words of q; at most ${MOST_LISTED}, without their ` +
      'texts: read them with doc_read.',
    input: closed({
      tags,
      created_by,
      q: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'Words of the title or the text' })),
    }),
    output: closed({ documents: Type.Array(Type.Object(listed)), total: Type.Integer() }),
    effect: 'reads',
    call: async ({ tags: any, created_by: by, q }, { docstore }) => {
      const query = { tags: any?.join(',') || undefined, created_by: by, q, limit: MOST_LISTED }
      const { documents, total } = await docstore.listDocuments({ query })
      return { documents: documents.map(({ content: _text, ...rest }) => rest), total }
    },
  }),
]
