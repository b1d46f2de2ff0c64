// The face of the document store, for its routes and its reconciler.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Actor } from '../../platform/core/actor.ts'
import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { AuditEntry } from '../../platform/store/audit.ts'
import type { ToldChange } from '../../platform/store/change-log.ts'
import type { Documents } from './documents/documents.ts'
import type { Memories } from './memories/memories.ts'

export { authorOf } from './documents/document-changes.ts'
export type { InspectedDocument } from './documents/catalog.ts'
export { viewerOf } from './memories/viewer.ts'

export type ToldDocument = ToldChange<'documents'>

export interface Docstore {
  /**
   * Throws 501 if documents are disabled, 503 while their folder cannot be used. Its methods throw 404 for a missing
   * document, and 503 with the name of the folder if the disk refuses.
   */
  documents(): Pick<
    Documents,
    'create' | 'make' | 'list' | 'get' | 'inspect' | 'inspectAll' | 'update' | 'delete' | 'revisions' | 'revision'
  >
  /** Memories that a viewer may not see are missing for that viewer: methods throw 404, and 403 for one of another owner. */
  readonly memories: Pick<Memories, 'create' | 'list' | 'get' | 'delete' | 'setVisibility' | 'search'>
  /** The last write to `path` of a document; its actor is `by hand` for an edit of the files. */
  writer(id: string, path: string): Promise<AuditEntry | null>
  /** Calls back after every change of a document; with a cursor, first for the changes after it. */
  changes(listener: (change: ToldDocument) => void, since?: number | null): Unsubscribe
  /** The tools for one caller; `headers` are sent with each of their requests. */
  tools(actor: Actor, headers: Readonly<Record<string, string>>): Promise<Server>
}
