// Documents as manifests declare them: their ids are the names of their manifests.
import type { Actor } from '../../../platform/core/actor.ts'
import type { ChangeFeed, Unsubscribe } from '../../../platform/async/change-feed.ts'
import type { Clock } from '../../../platform/core/clock.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import { notFound } from '../../../platform/core/problem.ts'
import type { Audit, AuditEntry } from '../../../platform/store/audit.ts'
import { listen, type LiveChange } from '../../../platform/store/change-log.ts'
import type { Seen } from '../../../platform/store/write-preconditions.ts'
import type { DeclaredDocuments, InspectedDocument, ToldDocument } from '../face.ts'
import type { Members } from './changes.ts'
import type { Documents } from './documents.ts'

interface Parts {
  /** Throws 501 where documents are not kept, 503 while their folder cannot be used. */
  documents(): Documents
  audit: Audit
  feed: ChangeFeed<LiveChange<'documents'>>
  clock: Clock
  log: Log
}

export class Declared implements DeclaredDocuments {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async inspect(id: string): Promise<InspectedDocument> {
    const found = await this.#parts.documents().inspect(id)
    if (!found) throw notFound('document', id)
    return found
  }

  async inspectAll(): Promise<InspectedDocument[]> {
    return this.#parts.documents().inspectAll()
  }

  async make(id: string, members: Members, by: Actor): Promise<void> {
    await this.#parts.documents().make(id, members, by)
  }

  async assign(
    id: string,
    members: Partial<Members>,
    { by, seen }: { by: Actor; seen: Seen<Members> | undefined },
  ): Promise<void> {
    await this.#parts.documents().update(id, members, by, seen)
  }

  remove(id: string, by: Actor): Promise<void> {
    return this.#parts.documents().delete(id, by)
  }

  writer(id: string, path: string): Promise<AuditEntry | null> {
    return this.#parts.audit.latest('documents', id, path)
  }

  changes(listener: (change: ToldDocument) => void, since: number | null = null): Unsubscribe {
    return listen(this.#parts, listener, { kinds: ['documents'], since })
  }
}
