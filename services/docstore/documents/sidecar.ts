import * as Type from 'typebox'
import { createHash } from 'node:crypto'
import { DocumentTags, DocumentTitle } from '../../../schemas/docstore/document.ts'
import { createAjv } from '../../../schemas/validation/ajv.ts'

/** A fixed format, so that times sort as text. */
const time = Type.String({ format: 'date-time', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
/** Recorded names may be longer than names in requests. */
const LONGEST_NAME = 256
const plain = '^\\P{Cc}*$'

/** The limits of requests also apply to manual edits. */
export const Sidecar = Type.Object({
  title: Type.String({ ...DocumentTitle, pattern: plain }),
  tags: DocumentTags,
  created_by: Type.String({ maxLength: LONGEST_NAME, pattern: plain }),
  created_at: time,
  updated_at: time,
  revision: Type.Integer({ minimum: 1, maximum: 999_999_999 }),
  /** Digest of the last written text. */
  digest: Type.String(),
})
export type Sidecar = Type.Static<typeof Sidecar>

export const Revision = Type.Object({
  ...Sidecar.properties,
  by: Type.String(),
  content: Type.String(),
})
export type Revision = Type.Static<typeof Revision>

/** A planned write, stored before it is carried out. */
export const Intent = Type.Object({
  /** Digest of the replaced text; null for a new document. */
  before: Type.Union([Type.String(), Type.Null()]),
  /** Null for a deletion. */
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

/** Null if invalid. */
export const readSidecar = reader(ajv.compile<Sidecar>(Sidecar))
export const readIntent = reader(ajv.compile<Intent>(Intent))
/** A revision file is a completed intent. */
export const readRevision = (text: string | null): Revision | null => readIntent(text)?.after ?? null

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export const sidecarOf = ({ by: _by, content: _content, ...sidecar }: Revision): Sidecar => sidecar

export function headingOf(content: string): string | null {
  const [, heading = ''] = /^ {0,3}#{1,6}[ \t]+(.+?)[ \t#]*$/m.exec(content.slice(0, 10_000)) ?? []
  const title = heading.replace(/\p{Cc}+/gu, ' ').trim()
  return title === '' ? null : title.slice(0, 1000)
}
