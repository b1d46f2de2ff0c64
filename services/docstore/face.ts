import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Actor } from '../../platform/core/actor.ts'
import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { AuditEntry } from '../../platform/store/audit.ts'
import type { ChangeNotice } from '../../platform/store/change-log.ts'
import type { Documents } from './documents/documents.ts'
import type { Memories } from './memories/memories.ts'

export { authorOf } from './documents/document-changes.ts'
export type { InspectedDocument } from './documents/catalog.ts'
export { viewerOf } from './memories/viewer.ts'

export type DocumentNotice = ChangeNotice<'documents'>

export interface Docstore {
  /**
   * Throws 501 if documents are disabled, 503 while their folder cannot be used. Methods throw 404 for a missing
   * document.
   */
  documents(): Pick<
    Documents,
    'create' | 'make' | 'list' | 'get' | 'inspect' | 'inspectAll' | 'update' | 'delete' | 'revisions' | 'revision'
  >
  /** Invisible memories count as missing: methods throw 404, and 403 for a visible memory of another owner. */
  readonly memories: Pick<Memories, 'create' | 'list' | 'get' | 'delete' | 'setVisibility' | 'search'>
  /** The actor of a manual edit is `by hand`. */
  writer(id: string, path: string): Promise<AuditEntry | null>
  /** With `since`, first reports the changes after that cursor. */
  changes(listener: (change: DocumentNotice) => void, since?: number | null): Unsubscribe
  /** Tools that act as `actor`. */
  tools(actor: Actor): Promise<Server>
}
