import * as Type from 'typebox'
import type { Fault } from '../kind.ts'
import { closedObject, namedObject } from '../shapes.ts'

/** Maximum bytes of a request body and of a file. */
export const LARGEST_DOCUMENT = 5 * 1024 * 1024
/** Maximum characters of a text declared in a manifest. */
export const LONGEST_DECLARED = 262_144
/** Maximum bytes of an id, so that derived file names fit. */
export const LONGEST_ID = 200

const TITLE_LENGTH = 10_000
const MOST_TAGS = 100

/** No path separator and no leading dot, so that the id cannot leave the folder. */
export const DOCUMENT_ID = /^[^\p{Cc}\p{Cs}/\\.][^\p{Cc}\p{Cs}/\\]*$/u

export const DocumentId = Type.String({
  minLength: 1,
  maxLength: LONGEST_ID,
  pattern: DOCUMENT_ID.source,
  description: 'File name without .md',
})

export const DocumentTitle = Type.String({ minLength: 1, maxLength: TITLE_LENGTH, description: 'Title' })
const content = Type.String({ description: 'Markdown' })
const Tag = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^,\\p{Cc}]+$' })
export const DocumentTags = Type.Array(Tag, { maxItems: MOST_TAGS, description: 'Tags; without commas' })
const created_by = Type.String({ minLength: 1, maxLength: 200, description: 'Creator of the document' })

export const Document = namedObject('Document', {
  id: DocumentId,
  title: Type.String(),
  content,
  tags: Type.Array(Type.String()),
  created_by: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
})
export type Document = Type.Static<typeof Document>

export const DocumentInput = namedObject('DocumentInput', {
  title: DocumentTitle,
  content,
  tags: Type.Optional(DocumentTags),
  created_by: Type.Optional(created_by),
})
export type DocumentInput = Type.Static<typeof DocumentInput>

export const DocumentUpdate = namedObject('DocumentUpdate', {
  title: Type.Optional(DocumentTitle),
  content: Type.Optional(content),
  tags: Type.Optional(DocumentTags),
})
export type DocumentUpdate = Type.Static<typeof DocumentUpdate>

export const DocumentMade = closedObject({ success: Type.Boolean(), document: Document })

export const DocumentDeleted = closedObject({ success: Type.Boolean(), deleted: Type.Boolean() })

export const DocumentList = closedObject({
  success: Type.Boolean(),
  documents: Type.Array(Document),
  total: Type.Integer(),
})
export type DocumentList = Type.Static<typeof DocumentList>

export const DocumentRevision = namedObject('DocumentRevision', {
  revision: Type.Integer(),
  title: Type.String(),
  tags: Type.Array(Type.String()),
  by: Type.String({ description: 'Author; `by hand` for an edit of the file' }),
  updated_at: Type.String({ format: 'date-time' }),
  bytes: Type.Integer(),
})
export type DocumentRevision = Type.Static<typeof DocumentRevision>

export const DocumentAtRevision = namedObject('DocumentAtRevision', { ...DocumentRevision.properties, content })
export type DocumentAtRevision = Type.Static<typeof DocumentAtRevision>

export const DocumentsConfig = closedObject({
  path: Type.Optional(Type.String({ minLength: 1 })),
  enabled: Type.Optional(Type.Boolean()),
})
export type DocumentsConfig = Type.Static<typeof DocumentsConfig>

export function checkTitle(given: string | undefined): Fault[] {
  if (given === undefined) return []
  const fault = (message: string, hint: string): Fault[] => [{ path: ['title'], code: 'invalid-value', message, hint }]
  if (!/\S/u.test(given)) return fault('is blank', 'give the document a short title')
  if (/\p{Cc}/u.test(given)) return fault('contains control characters', 'use a single line of text')
  return []
}
