// Keeps documents consistent with their files, including manual changes.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Actor } from '../../../platform/core/actor.ts'
import { SerialQueue, SerialQueues } from '../../../platform/async/serial-queue.ts'
import { timestamp } from '../../../platform/core/clock.ts'
import type { FileLock } from '../../../platform/service/file-lock.ts'
import { conflict, notFound } from '../../../platform/core/problem.ts'
import type { World } from '../../../platform/service/world.ts'
import type { Audit } from '../../../platform/store/audit.ts'
import type { Listed, Part } from '../../../platform/store/page.ts'
import { refuseMoved, type Seen } from '../../../platform/store/write-preconditions.ts'
import type {
  Document,
  DocumentAtRevision,
  DocumentInput,
  DocumentRevision,
  DocumentUpdate,
} from '../../../schemas/docstore/document.ts'
import { Catalog, type DocumentFilter, type Entry, type InspectedDocument } from './catalog.ts'
import {
  authorOf,
  changedMembers,
  dropUndefined,
  editConflict,
  revisionRecord,
  unique,
  firstRevision,
  WHOLE,
  type Members,
} from './document-changes.ts'
import { DocumentDisk, lockFolder } from './disk.ts'
import { DocumentShares, type SharesWorld } from './document-shares.ts'
import { DocumentFolder, isDocumentId } from './folder.ts'
import { byHand, KnownDocuments } from './known-documents.ts'
import { DocumentReader } from './reader.ts'
import { asUnavailable } from './filesystem.ts'
import { digestOf, type Revision } from './sidecar.ts'
import { freeSlug } from './slug.ts'
import { FolderWatch } from './folder-watch.ts'
import { DocumentWriter } from './writer.ts'

/** Documents read concurrently and written in one transaction. */
const PIECE = 128
const PIECES_AT_ONCE = 2

interface DocumentWorld extends SharesWorld, Pick<World, 'vault' | 'clock' | 'log'> {
  audit: Audit
  publishChange(id: string): void
}

export class Documents {
  readonly folder: DocumentFolder
  readonly disk: DocumentDisk
  /** `.md` files that are irregular or have an invalid name. */
  ignored: readonly string[] = []
  readonly #world: DocumentWorld
  readonly #catalog: Catalog
  readonly #known: KnownDocuments
  readonly #reader: DocumentReader
  readonly #writer: DocumentWriter
  readonly #lock: FileLock
  /** One queue per document. */
  readonly #turns = new SerialQueues()
  /** Serializes creation, which reserves names. */
  readonly #making = new SerialQueue()
  readonly #looking = new SerialQueue()
  readonly #watch: FolderWatch
  readonly #shares: DocumentShares
  #scanned: Promise<void> = Promise.resolve()
  #isStopping = false

  private constructor(world: DocumentWorld, folder: DocumentFolder, lock: FileLock) {
    this.#world = world
    this.folder = folder
    this.disk = new DocumentDisk(folder)
    this.#shares = new DocumentShares(world, folder)
    this.#lock = lock
    this.#catalog = new Catalog(world)
    this.#known = new KnownDocuments(this.#catalog, world.publishChange)
    this.#writer = new DocumentWriter(folder)
    this.#watch = new FolderWatch(world, () => void this.#catchUp().catch(() => undefined))
    this.#reader = new DocumentReader({ folder, writer: this.#writer, clock: world.clock, log: world.log })
  }

  /** Completes writes that a crash interrupted. With `isBack`, the folder was open before. Throws 503. */
  static async open(world: DocumentWorld, path: string, options: { isBack?: boolean } = {}): Promise<Documents> {
    return asUnavailable(path, async () => {
      const folder = await DocumentFolder.open(path, options)
      const lock = await lockFolder(folder)
      try {
        const documents = new Documents(world, folder, lock)
        await folder.clean()
        for (const id of await folder.unfinished()) await documents.#writer.finish(id)
        return documents
      } catch (error) {
        // A retry must not find the folder locked by this process.
        await lock.release()
        throw error
      }
    })
  }

  start(): void {
    for (const folder of [this.folder.root, this.folder.own()]) this.#watch.add(folder)
    this.#scanned = this.scan()
    const failed = ({ message }: Error) => this.#world.log.error({ error: message }, 'failed to scan the documents')
    this.#scanned.catch(failed)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#watch.stop()
    await this.#scanned.catch(() => undefined)
    await this.#looking.drained()
    await this.#turns.drained()
    await this.#lock.release()
  }

  count(): Promise<number> {
    return this.#catalog.rows.count()
  }

  async scan(): Promise<void> {
    await this.disk.run(async () => {
      await this.folder.check()
      const { ids, ignored } = await this.folder.ids()
      if (ignored.length > this.ignored.length)
        this.#world.log.warn(
          { ignored: ignored.slice(0, 20) },
          'ignored files: documents must be regular files, not links, with a valid id as name',
        )
      this.ignored = ignored
      this.#known.ids = new Set(ids)
      const stamps = await this.#catalog.stamps()
      await this.#lookAt([...new Set([...ids, ...stamps.keys(), ...(await this.folder.sidecars())])], stamps)
      this.#scanned = Promise.resolve()
      this.#known.isWhole = true
    })
  }

  async list<P extends Part>(filter: DocumentFilter, part: P): Promise<Listed<Document, P>> {
    await this.#catchUp()
    return this.#catalog.list(filter, part)
  }

  async get(id: string): Promise<Document> {
    return this.#catalog.rows.record(await this.#inTurn(id, () => this.#readCurrent(id)))
  }

  async create(input: DocumentInput & { created_by: string }, by: Actor): Promise<Document> {
    const known = firstRevision(input, by, timestamp(this.#world.clock))
    return this.#shares.write(by, input.content, () => this.#making.run(() => this.#makeNamed(known, by)))
  }

  #makeNamed(known: Omit<Revision, 'revision'>, by: Actor): Promise<Document> {
    return this.disk.run(async () => {
      for (;;) {
        const id = freeSlug(known.title, (each) => this.#known.ids.has(each))
        // If a file of this name has just appeared, it stays reserved, and the loop tries the next name.
        this.#known.ids.add(id)
        const made = await this.#turns
          .run(id, () => this.#make(id, known, by))
          .catch((error: unknown) => {
            this.#known.ids.delete(id)
            throw error
          })
        if (made !== null) return this.#catalog.rows.record(made)
      }
    })
  }

  /** Throws 409 if the id exists. */
  async make(id: string, members: Members, by: Actor): Promise<void> {
    const known = firstRevision({ ...members, created_by: authorOf(by) }, by, timestamp(this.#world.clock))
    const made = await this.#making.run(() => this.#inTurn(id, () => this.#make(id, known, by)))
    if (made === null)
      throw conflict(`document "${id}" already exists: it was created after the plan was made`, 'name-taken')
  }

  /** Omitted fields stay unchanged. Throws 409 if a field differs from `seen`. */
  async update(id: string, update: DocumentUpdate, by: Actor, seen?: Seen<Members>): Promise<Document> {
    const change = () => this.#inTurn(id, () => this.#change(id, update, by, seen))
    return this.#shares.write(by, update.content, async () => this.#catalog.rows.record(await change()), id)
  }

  async #change(id: string, update: DocumentUpdate, by: Actor, seen?: Seen<Members>): Promise<Entry> {
    const now = await this.#readCurrent(id)
    // Compares values only: versions are from the catalog, and the files may be newer.
    refuseMoved<Members>(`document ${id}`, { ...now, version: -1 }, seen)
    const next = { ...now, ...dropUndefined(update), tags: update.tags ? unique(update.tags) : now.tags }
    const fields = changedMembers(now, next)
    if (fields.length === 0) return now
    this.#world.audit.allow({ kind: 'documents', id, members: fields, by })
    const { title, tags, content, created_by, created_at } = next
    const updated_at = timestamp(this.#world.clock)
    const revision = await this.#reader.next(id)
    const written = { title, tags, content, created_by, created_at, updated_at, revision, digest: digestOf(content) }
    const after = { ...written, by: authorOf(by) }
    if (!(await this.#writer.write(id, now.digest, after))) throw editConflict(id)
    return this.#known.keep(await this.#reader.entry(id, after), fields, by)
  }

  async delete(id: string, by: Actor): Promise<void> {
    await this.#inTurn(id, async () => {
      const now = await this.#readCurrent(id)
      this.#world.audit.allow({ kind: 'documents', id, members: WHOLE, by })
      if (!(await this.#writer.remove(id, now.digest))) throw editConflict(id)
      await this.#known.forget([id], by)
    })
  }

  async inspect(id: string): Promise<InspectedDocument> {
    await this.#inTurn(id, () => this.#readCurrent(id))
    const [inspected] = await this.#catalog.inspect(id)
    if (!inspected) throw notFound('document', id)
    return inspected
  }

  async inspectAll(): Promise<InspectedDocument[]> {
    await this.#catchUp()
    return this.#catalog.inspect()
  }

  /** Newest first. */
  async revisions(id: string): Promise<DocumentRevision[]> {
    return this.#inTurn(id, async () => {
      await this.#readCurrent(id)
      return (await this.#reader.revisions(id)).map(revisionRecord)
    })
  }

  async revision(id: string, number: number): Promise<DocumentAtRevision> {
    return this.#inTurn(id, async () => {
      await this.#readCurrent(id)
      const revision = await this.#reader.revision(id, number)
      if (!revision) throw notFound('revision', `${number} of document ${id}`)
      return { ...revisionRecord(revision), content: revision.content }
    })
  }

  #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (!isDocumentId(id)) throw notFound('document', id)
    const checked = () => this.folder.check().then(work)
    return this.#turns.run(id, () => this.disk.run(checked))
  }

  async #readCurrent(id: string): Promise<Entry> {
    const known = await this.#catalog.rows.find(id)
    const look = await this.#reader.look(id, known?.stamp)
    if (look === 'same') return known!
    if (look !== null) return this.#known.keep(look, known ? changedMembers(known, look) : [], byHand())
    if (known) await this.#known.forget([id], byHand())
    this.#known.ids.delete(id)
    throw notFound('document', id)
  }

  async #make(id: string, known: Omit<Revision, 'revision'>, by: Actor): Promise<Entry | null> {
    const after = { ...known, revision: await this.#reader.next(id) }
    return (await this.#writer.write(id, null, after))
      ? this.#known.keep(await this.#reader.entry(id, after), WHOLE, by)
      : null
  }

  async #lookAt(ids: readonly string[], stamps: ReadonlyMap<string, string>): Promise<void> {
    const count = Math.ceil(ids.length / PIECE)
    const pieces = Array.from({ length: count }, (_each, at) => ids.slice(at * PIECE, (at + 1) * PIECE))
    // Reads the next batch while one is written.
    await pLimit(PIECES_AT_ONCE).map(pieces, async (some) => {
      await turnOfTheLoop()
      if (this.#isStopping) return
      await this.#turns.runAll(some, async () => {
        const looks = await Promise.all(some.map((id) => this.#reader.look(id, stamps.get(id))))
        const found = looks.filter((look): look is Entry => look !== null && look !== 'same')
        const gone = some.filter((_id, index) => looks[index] === null)
        for (const id of gone) this.#known.ids.delete(id)
        await this.#known.keepFound(found, stamps)
        const forgotten = gone.filter((id) => stamps.has(id))
        await this.#known.forget(forgotten, byHand())
      })
    })
  }

  /** Reads files touched since the last call. */
  async #catchUp(): Promise<void> {
    await this.#scanned
    await this.#looking.run(async () => {
      const touched = this.#watch.take()
      if (touched.length === 0 || this.#isStopping) return
      const look = async () => this.#lookAt(touched, await this.#catalog.stamps(touched))
      await this.disk
        .run(() => this.folder.check().then(look))
        .catch((error: unknown) => {
          this.#watch.putBack(touched)
          throw error
        })
    })
  }
}
