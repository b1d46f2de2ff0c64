// What a write to a document changes, and what is told of it.
import type { Actor } from '../../../platform/core/actor.ts'
import { conflict } from '../../../platform/core/problem.ts'
import type { Document, DocumentInput, DocumentRevision } from '../../../schemas/docstore/document.ts'
import { digestOf, type Revision } from './sidecar.ts'

/** Whose a document is that nobody has said it of. */
export const NOBODY = 'user'
/** Who edits a file. */
export const BY_HAND = 'by hand'

/** What of a document is its writers' to say. */
export type Members = Pick<Document, 'title' | 'content' | 'tags'>

/** Who wrote which members of a document; of one that was made or taken away, it as a whole. */
export interface Written {
  id: string
  fields: readonly string[]
  by: Actor
}

export const WHOLE = ['']

/** Names of the members that differ. */
export const changedMembers = (now: Members, next: Members): string[] =>
  (['title', 'content', 'tags'] as const).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(next[name]))

/** Who a revision is by. */
export const authorOf = ({ actor }: Actor): string => (actor === 'anonymous' ? NOBODY : actor)

export const unique = (tags: readonly string[] = []): string[] => [...new Set(tags)]

export const dropUndefined = <T extends object>(update: T): T =>
  Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined)) as T

export const editConflict = (id: string) =>
  conflict(`document ${id} was edited by hand this very moment: read it again, then try again`, 'moved')

export const revisionRecord = ({ revision, title, tags, by, updated_at, content }: Revision): DocumentRevision => ({
  revision,
  title,
  tags,
  by,
  updated_at,
  bytes: Buffer.byteLength(content),
})

/** The first state of a document, but for its number. */
export function firstRevision(
  { title, content, created_by, tags }: DocumentInput & { created_by: string },
  by: Actor,
  at: string,
): Omit<Revision, 'revision'> {
  const times = { created_at: at, updated_at: at }
  return { title, tags: unique(tags), created_by, ...times, digest: digestOf(content), by: authorOf(by), content }
}
