// What is kept beside a document's file, and of each state that it was in.
import * as Type from 'typebox'
import { createHash } from 'node:crypto'
import { DocumentTags, DocumentTitle } from '../../../schemas/docstore/document.ts'
import { createAjv } from '../../../schemas/validation/ajv.ts'

/** As they are written here; another form would not stand in its place in the order. */
const time = Type.String({ format: 'date-time', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
/** A name that somebody was given may be longer than one that is said. */
const LONGEST_NAME = 256
const plain = '^\\P{Cc}*$'

/** The sidecar of a document: all that is no part of its text. What a request may not say, a person may not write. */
export const Sidecar = Type.Object({
  title: Type.String({ ...DocumentTitle, pattern: plain }),
  tags: DocumentTags,
  created_by: Type.String({ maxLength: LONGEST_NAME, pattern: plain }),
  created_at: time,
  updated_at: time,
  revision: Type.Integer({ minimum: 1, maximum: 999_999_999 }),
  /** Of the text it was written with: another one has been edited by hand since. */
  digest: Type.String(),
})
export type Sidecar = Type.Static<typeof Sidecar>

/** A document as it was, or is to be. */
export const Revision = Type.Object({
  ...Sidecar.properties,
  by: Type.String(),
  content: Type.String(),
})
export type Revision = Type.Static<typeof Revision>

/** What a write is about to do, on the disk before it is done. */
export const Intent = Type.Object({
  /** Digest of the text that is replaced; null where there is none. */
  before: Type.Union([Type.String(), Type.Null()]),
  /** Null: it is to be deleted. */
  after: Type.Union([Revision, Type.Null()]),
})
export type Intent = Type.Static<typeof Intent>

const ajv = createAjv()
const reader =
  <T>(isOne: (value: unknown) => value is T) =>
  (text: string | null): T | null => {
    if (text === null) return null
    try {
      const value: unknown = JSON.parse(text)
      return isOne(value) ? value : null
    } catch {
      return null
    }
  }

/** Null for what is no such thing. */
export const readSidecar = reader(ajv.compile<Sidecar>(Sidecar))
export const readIntent = reader(ajv.compile<Intent>(Intent))
/** A revision is an intent that was carried out. */
export const readRevision = (text: string | null): Revision | null => readIntent(text)?.after ?? null

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export const sidecarOf = ({ by: _by, content: _content, ...sidecar }: Revision): Sidecar => sidecar

/** The first heading of a markdown text; null where it has none. */
export function headingOf(content: string): string | null {
  const [, heading = ''] = /^ {0,3}#{1,6}[ \t]+(.+?)[ \t#]*$/m.exec(content.slice(0, 10_000)) ?? []
  const title = heading.replace(/\p{Cc}+/gu, ' ').trim()
  return title === '' ? null : title.slice(0, 1000)
}
