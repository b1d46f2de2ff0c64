// Which agent's limits the documents count towards: those of the agent that wrote them last.
import { SerialQueues } from '../../../platform/async/serial-queue.ts'
import type { Actor } from '../../../platform/core/actor.ts'
import { ownerOf, refuseAbove, type Limit, type Owner } from '../../../platform/core/limits.ts'
import { write } from '../../../platform/database/database.ts'
import type { World } from '../../../platform/service/world.ts'
import type { Document } from '../../../schemas/docstore/document.ts'
import { DOCUMENT_OWNERS } from '../migrations.ts'
import type { DocumentFolder } from './folder.ts'

const MIB = 1024 * 1024
/** A text is stored twice: as the document and as its revision. */
const COPIES = 2

export interface SharesWorld extends Pick<World, 'db' | 'config'> {
  limits: { documents: Limit; mebibytes: Limit }
}

export class DocumentShares {
  readonly #world: SharesWorld
  readonly #folder: DocumentFolder
  /** One write per owner at a time, so that concurrent writes cannot exceed a limit together. */
  readonly #turns = new SerialQueues()

  constructor(world: SharesWorld, folder: DocumentFolder) {
    this.#world = world
    this.#folder = folder
  }

  /** `content`: the text to write, if any. Throws 429 if the caller would exceed a limit. */
  write(by: Actor, content: string | undefined, work: () => Promise<Document>, id?: string): Promise<Document> {
    const owner = ownerOf(by, this.#world.config)
    if (owner === null) return work()
    return this.#turns.run(owner.id, async () => {
      await this.#refuse(owner, id, Buffer.byteLength(content ?? '') * COPIES)
      const document = await work()
      await this.#record(owner, document.id)
      return document
    })
  }

  async #refuse(owner: Owner, id: string | undefined, bytes: number): Promise<void> {
    const { db, limits } = this.#world
    const counted = await db(DOCUMENT_OWNERS)
      .where({ owner: owner.id })
      .count({ documents: '*' })
      .sum({ bytes: 'bytes' })
      .first()
    const isCounted = id !== undefined && (await db(DOCUMENT_OWNERS).where({ document: id, owner: owner.id }).first())
    refuseAbove(owner, limits.documents, Number(counted?.documents ?? 0) + (isCounted ? 0 : 1))
    refuseAbove(owner, limits.mebibytes, (Number(counted?.bytes ?? 0) + bytes) / MIB)
  }

  async #record(owner: Owner, document: string): Promise<void> {
    const row = { document, owner: owner.id, bytes: await this.#folder.bytes(document) }
    await write(this.#world.db, async (transaction) => {
      await transaction(DOCUMENT_OWNERS).insert(row).onConflict('document').merge()
    })
  }
}
