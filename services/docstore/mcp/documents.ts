// The tools over documents.
import * as Type from 'typebox'
import { Document, DocumentDeleted, DocumentInput, DocumentUpdate } from '../../../schemas/docstore/document.ts'
import { DocumentId } from '../../../schemas/docstore/document.ts'
import { closed, tool, type Tool } from './tool.ts'

const id = { ...DocumentId, description: 'Id of the document, as doc_list shows it' }
const { title, content, tags, created_by } = DocumentInput.properties
const creator = Type.String({ minLength: 1, maxLength: 200, description: 'Who makes it: your name' })
const missing = { 404: 'Call doc_list to see the ids there are.' }
const MOST_LISTED = 100

/** A list tells of documents without their texts: a model reads those it needs. */
const { content: _content, ...listed } = Document.properties

export const documentTools: readonly Tool[] = [
  tool({
    name: 'doc_create',
    title: 'Create a document',
    description:
      'Keeps a new markdown document that people and other agents can read. Its id is made of the title and is in the ' +
      'answer. To change a document that exists, use doc_update.',
    input: closed({ title, content, tags, created_by: creator }),
    output: Document,
    effect: 'adds',
    call: async (body, { docstore, headers }) => (await docstore.createDocument({ body, headers })).document,
  }),
  tool({
    name: 'doc_read',
    title: 'Read a document',
    description: 'The text of a document, with its title, tags and times.',
    input: closed({ id }),
    output: Document,
    effect: 'reads',
    next: missing,
    call: (params, { docstore, headers }) => docstore.getDocument({ params, headers }),
  }),
  tool({
    name: 'doc_update',
    title: 'Change a document',
    description:
      'Changes title, text or tags of a document; what is left out stays. The text is replaced as a whole: read it with ' +
      'doc_read first. The id stays.',
    input: closed({ id, ...DocumentUpdate.properties }),
    output: Document,
    effect: 'changes',
    next: { ...missing, 409: 'Read it again with doc_read, then repeat the change on what it says now.' },
    call: ({ id: asked, ...body }, { docstore, headers }) =>
      docstore.updateDocument({ params: { id: asked }, body, headers }),
  }),
  tool({
    name: 'doc_delete',
    title: 'Delete a document',
    description: 'Deletes a document and its earlier revisions. This cannot be undone.',
    input: closed({ id }),
    output: DocumentDeleted,
    effect: 'deletes',
    next: missing,
    call: (params, { docstore, headers }) => docstore.deleteDocument({ params, headers }),
  }),
  tool({
    name: 'doc_list',
    title: 'List documents',
    description:
      `Documents with any of the tags, by their creator, or with all words of q; ${MOST_LISTED} at most, without their ` +
      'texts: read one with doc_read.',
    input: closed({
      tags,
      created_by,
      q: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'Words of the title or the text' })),
    }),
    output: closed({ documents: Type.Array(Type.Object(listed)), total: Type.Integer() }),
    effect: 'reads',
    call: async ({ tags: any, created_by: by, q }, { docstore, headers }) => {
      const query = { tags: any?.join(',') || undefined, created_by: by, q, limit: MOST_LISTED }
      const { documents, total } = await docstore.listDocuments({ query, headers })
      return { documents: documents.map(({ content: _text, ...rest }) => rest), total }
    },
  }),
]
