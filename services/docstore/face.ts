// The face of the document store: what its routes may ask of it.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Actor } from '../../platform/core/actor.ts'
import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { AuditEntry } from '../../platform/store/audit.ts'
import type { ToldChange } from '../../platform/store/change-log.ts'
import type { Seen } from '../../platform/store/write-preconditions.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'
import type {
  Document,
  DocumentAtRevision,
  DocumentInput,
  DocumentRevision,
  DocumentUpdate,
} from '../../schemas/docstore/document.ts'

import type {
  FoundMemories,
  Memory,
  MemoryInput,
  MemoryMade,
  MemorySearch,
  MemoryVisibility,
} from '../../schemas/docstore/memory.ts'
import type { Members } from './documents/changes.ts'
import type { MemoryFilter } from './memories/memories.ts'
import type { Viewer } from './memories/viewer.ts'

export { authorOf } from './documents/changes.ts'
export { viewerOf } from './memories/viewer.ts'

/** A list takes the part that is wanted; all of it where none is named. */
type Part = Partial<PageLimits>

export interface Docstore {
  /** Throws 501 where documents are not kept, 503 while their folder cannot be used. */
  documents(): DocumentStore
  readonly memories: MemoryStore
  readonly declared: DeclaredDocuments
  /** The tools, for whoever asks; `headers` go with everything that they ask. */
  tools(actor: Actor, headers: Readonly<Record<string, string>>): Promise<Server>
}

/** A document as far as a manifest says it, as it is at one moment. */
export interface InspectedDocument extends Members {
  id: string
  /** Grows with every change of it. */
  version: number
}

export type ToldDocument = ToldChange<'documents'>

/** Documents as manifests declare them: for the reconciler, in the name of `by`. */
export interface DeclaredDocuments {
  inspect(id: string): Promise<InspectedDocument>
  /** None where documents are not kept. */
  inspectAll(): Promise<InspectedDocument[]>
  /** Throws 409 for a name that is taken. */
  make(id: string, members: Members, by: Actor): Promise<void>
  /** Gives whole members other values. 409 `moved` where a member is not as it was seen. */
  assign(id: string, members: Partial<Members>, options: { by: Actor; seen: Seen<Members> | undefined }): Promise<void>
  remove(id: string, by: Actor): Promise<void>
  /** Who last wrote `path` of a document; `by hand` for an edit of its files. */
  writer(id: string, path: string): Promise<AuditEntry | null>
  /** Called after every change of a document; with a cursor, first for what was written after it. */
  changes(listener: (change: ToldDocument) => void, since?: number | null): Unsubscribe
}

/** Nobody is shown what is not theirs to see: of one memory these throw 404, and 403 where it is not theirs to change. */
export interface MemoryStore {
  /** Throws 403 for an agent that speaks for another, or supersedes what it may not change. */
  create(viewer: Viewer, input: MemoryInput): Promise<MemoryMade>
  /** Newest first. */
  list(viewer: Viewer, filter: MemoryFilter, part: Part): Promise<Page<Memory>>
  get(viewer: Viewer, id: string): Promise<Memory>
  delete(viewer: Viewer, id: string): Promise<void>
  setVisibility(viewer: Viewer, id: string, change: MemoryVisibility): Promise<Memory>
  /** Throws 403 for an agent that asks as another. */
  search(viewer: Viewer, search: MemorySearch): Promise<FoundMemories>
}

/** Every method throws a 503 that names the folder where the disk refuses; those of one document a 404. */
export interface DocumentStore {
  /** `by` is who asks: of the revision, and of the record. */
  create(input: DocumentInput & { created_by: string }, by: Actor): Promise<Document>
  /** Newest first; with `q` the best first. */
  list(filter: { tags?: readonly string[]; created_by?: string; q?: string }, part: Part): Promise<Page<Document>>
  get(id: string): Promise<Document>
  /** Throws 409 for one that is edited by hand this moment. */
  update(id: string, update: DocumentUpdate, by: Actor): Promise<Document>
  /** Throws 409 likewise. */
  delete(id: string, by: Actor): Promise<void>
  /** Newest first. */
  revisions(id: string): Promise<DocumentRevision[]>
  revision(id: string, revision: number): Promise<DocumentAtRevision>
}
