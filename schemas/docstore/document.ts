// A document: markdown that people and agents keep, and what is known of it.
import * as Type from 'typebox'
import type { Fault } from '../kind.ts'

/** Bytes of a document: of what is sent, and of a file that is read. */
export const LARGEST_DOCUMENT = 5 * 1024 * 1024
/** Characters of a text that a manifest declares. */
export const LONGEST_DECLARED = 262_144
/** Bytes of the longest id, so that every name made of it fits into a folder. */
export const LONGEST_ID = 200

const TITLE_LENGTH = 10_000
const MOST_TAGS = 100

/** A name without a separator that begins with no dot: no path leads out of the folder by it. */
export const DOCUMENT_ID = /^[^\p{Cc}\p{Cs}/\\.][^\p{Cc}\p{Cs}/\\]*$/u

export const DocumentId = Type.String({
  minLength: 1,
  maxLength: LONGEST_ID,
  pattern: DOCUMENT_ID.source,
  description: 'The name of its file without .md',
})

export const DocumentTitle = Type.String({ minLength: 1, maxLength: TITLE_LENGTH, description: 'What it is called' })
const content = Type.String({ description: 'Markdown' })
const Tag = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^,\\p{Cc}]+$' })
export const DocumentTags = Type.Array(Tag, { maxItems: MOST_TAGS, description: 'What it is found by; without commas' })
const created_by = Type.String({ minLength: 1, maxLength: 200, description: 'Who made it' })

export const Document = Type.Object(
  {
    id: DocumentId,
    title: Type.String(),
    content,
    tags: Type.Array(Type.String()),
    created_by: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Document', additionalProperties: false },
)
export type Document = Type.Static<typeof Document>

export const DocumentInput = Type.Object(
  { title: DocumentTitle, content, tags: Type.Optional(DocumentTags), created_by: Type.Optional(created_by) },
  { $id: 'DocumentInput', additionalProperties: false },
)
export type DocumentInput = Type.Static<typeof DocumentInput>

export const DocumentUpdate = Type.Object(
  { title: Type.Optional(DocumentTitle), content: Type.Optional(content), tags: Type.Optional(DocumentTags) },
  { $id: 'DocumentUpdate', additionalProperties: false },
)
export type DocumentUpdate = Type.Static<typeof DocumentUpdate>

export const DocumentMade = Type.Object(
  { success: Type.Boolean(), document: Document },
  { additionalProperties: false },
)

export const DocumentDeleted = Type.Object(
  { success: Type.Boolean(), deleted: Type.Boolean() },
  { additionalProperties: false },
)

export const DocumentList = Type.Object(
  { success: Type.Boolean(), documents: Type.Array(Document), total: Type.Integer() },
  { additionalProperties: false },
)
export type DocumentList = Type.Static<typeof DocumentList>

/** One state that a document was in. */
export const DocumentRevision = Type.Object(
  {
    revision: Type.Integer(),
    title: Type.String(),
    tags: Type.Array(Type.String()),
    by: Type.String({ description: 'Who wrote it; `by hand` for an edit of the file' }),
    updated_at: Type.String({ format: 'date-time' }),
    bytes: Type.Integer(),
  },
  { $id: 'DocumentRevision', additionalProperties: false },
)
export type DocumentRevision = Type.Static<typeof DocumentRevision>

export const DocumentAtRevision = Type.Object(
  { ...DocumentRevision.properties, content },
  { $id: 'DocumentAtRevision', additionalProperties: false },
)
export type DocumentAtRevision = Type.Static<typeof DocumentAtRevision>

/** `documents:` of the config file. */
export const DocumentsConfig = Type.Object(
  { path: Type.Optional(Type.String({ minLength: 1 })), enabled: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)
export type DocumentsConfig = Type.Static<typeof DocumentsConfig>

/** What a schema cannot say of a title. */
export function checkTitle(given: string | undefined): Fault[] {
  if (given === undefined) return []
  const fault = (message: string, hint: string): Fault[] => [{ path: ['title'], code: 'invalid-value', message, hint }]
  if (!/\S/u.test(given)) return fault('is blank', 'say in a few words what the document is about')
  if (/\p{Cc}/u.test(given)) return fault('holds control characters', 'write it in one line of text')
  return []
}
