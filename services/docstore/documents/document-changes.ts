import type { Actor } from '../../../platform/core/actor.ts'
import { conflict } from '../../../platform/core/problem.ts'
import type { Document, DocumentInput, DocumentRevision } from '../../../schemas/docstore/document.ts'
import { digestOf, type Revision } from './sidecar.ts'

export const NOBODY = 'user'
/** Actor of manual edits. */
export const BY_HAND = 'by hand'

export type Members = Pick<Document, 'title' | 'content' | 'tags'>

/** `fields` is `WHOLE` for a created or deleted document. */
export interface Written {
  id: string
  fields: readonly string[]
  by: Actor
}

export const WHOLE = ['']

export const changedMembers = (now: Members, next: Members): string[] =>
  (['title', 'content', 'tags'] as const).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(next[name]))

export const authorOf = ({ actor }: Actor): string => (actor === 'anonymous' ? NOBODY : actor)

export const unique = (tags: readonly string[] = []): string[] => [...new Set(tags)]

export const dropUndefined = <T extends object>(update: T): T =>
  Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined)) as T

export const editConflict = (id: string) =>
  conflict(`document ${id} was edited by hand at the same time: read it again and retry`, 'moved')

export const revisionRecord = ({ revision, title, tags, by, updated_at, content }: Revision): DocumentRevision => ({
  revision,
  title,
  tags,
  by,
  updated_at,
  bytes: Buffer.byteLength(content),
})

export function firstRevision(
  { title, content, created_by, tags }: DocumentInput & { created_by: string },
  by: Actor,
  at: string,
): Omit<Revision, 'revision'> {
  const times = { created_at: at, updated_at: at }
  return { title, tags: unique(tags), created_by, ...times, digest: digestOf(content), by: authorOf(by), content }
}
