import { resolve } from 'node:path'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Actor } from '../../platform/core/actor.ts'
import { background, type Background } from '../../platform/async/background.ts'
import { ChangeFeed } from '../../platform/async/change-feed.ts'
import { Audit } from '../../platform/store/audit.ts'
import { listen, type LiveChange } from '../../platform/store/change-log.ts'
import { gauge } from '../../platform/metrics/metrics.ts'
import { Problem } from '../../platform/core/problem.ts'
import { defineService, type Opened } from '../../platform/service/define.ts'
import {
  choice,
  limit,
  seconds,
  text,
  variableOf,
  type Setting,
  type Settings,
} from '../../platform/service/settings.ts'
import type { World } from '../../platform/service/world.ts'
import type { DocumentsConfig } from '../../schemas/docstore/document.ts'
import { communicateOperations } from '../../schemas/operations/communicate.ts'
import { controllerOperations } from '../../schemas/operations/controller.ts'
import { docstoreOperations } from '../../schemas/operations/docstore.ts'
import { orchestratorOperations } from '../../schemas/operations/orchestrator/index.ts'
import { authorOf } from './documents/document-changes.ts'
import { Documents } from './documents/documents.ts'
import type { Docstore } from './face.ts'
import { Memories } from './memories/memories.ts'
import { MemoryVectors } from './memories/vectors.ts'
import { viewerOf } from './memories/viewer.ts'
import { migrations } from './migrations.ts'
import { httpEmbedder, type Embedder } from './search/embedder.ts'

const settings = {
  /** Relative to the data folder. */
  documentsPath: text({ default: 'documents', variable: 'DOCSTORE_DOCUMENTS_PATH' }),
  documentsEnabled: choice(['true', 'false'], { default: 'true', variable: 'DOCSTORE_DOCUMENTS_ENABLED' }),
  /** Interval of full scans, in addition to the file watcher. */
  scanSecs: seconds({ default: 60, least: 1 }),
  /** OpenAI-compatible, such as `http://127.0.0.1:11434/v1`; enables search by meaning. */
  embeddingEndpoint: text({ default: 'none' }),
  embeddingModel: text({ default: 'nomic-embed-text' }),
  embeddingKeyVariable: text({ default: 'none' }),
  mostMemories: limit({ default: 10_000, variable: 'SVC_LIMIT_MEMORIES' }),
  mostDocuments: limit({ default: 1000, variable: 'SVC_LIMIT_DOCUMENTS' }),
  mostDocumentsMib: limit({ default: 256, variable: 'SVC_LIMIT_DOCUMENTS_MIB' }),
} satisfies Settings

const EMBED_MS = 5000

/** Owner of memories from unnamed callers. */
const NOBODY = 'user'
/** Version of the tool contract, not of the program. */
const PROTOCOL_SERVER_VERSION = '1.0.0'

export type DocstoreParts = DocumentsConfig

export const docstore = defineService({
  operations: docstoreOperations,
  settings,
  migrations,
  open: (world: World<typeof settings>, config: DocstoreParts): Docstore & Opened => new DocstoreService(world, config),
})

const isSet = (world: World<typeof settings>, name: string, setting: Setting<unknown>): boolean =>
  (world.config.env[variableOf('docstore', name, setting)] ?? '') !== ''

/** Variables override the config file. */
function chooseFolder(world: World<typeof settings>, config: DocumentsConfig): { path: string; enabled: boolean } {
  const { documentsPath, documentsEnabled } = world.settings
  const path = isSet(world, 'documentsPath', settings.documentsPath) ? documentsPath : (config.path ?? documentsPath)
  const enabled = isSet(world, 'documentsEnabled', settings.documentsEnabled)
    ? documentsEnabled === 'true'
    : (config.enabled ?? documentsEnabled === 'true')
  return { path: resolve(world.config.dataDir, path), enabled }
}

function embedderOf(world: World<typeof settings>): Embedder | null {
  const { embeddingEndpoint: endpoint, embeddingModel: model, embeddingKeyVariable: key } = world.settings
  return endpoint === 'none' ? null : httpEmbedder({ endpoint, model, key: world.config.env[key] })
}

function limitsOf({ settings: values }: Pick<World<typeof settings>, 'settings'>) {
  const limitOf = (name: 'mostMemories' | 'mostDocuments' | 'mostDocumentsMib', what: string) => ({
    what,
    most: values[name],
    variable: settings[name].variable,
    next: 'delete some',
  })
  return {
    memories: limitOf('mostMemories', 'memories'),
    documents: limitOf('mostDocuments', 'documents'),
    mebibytes: limitOf('mostDocumentsMib', 'MiB of documents and revisions'),
  }
}

class DocstoreService implements Docstore, Opened {
  readonly #world: World<typeof settings>
  readonly #path: string
  readonly #enabled: boolean
  readonly memories: Memories
  readonly #audit: Audit
  readonly #feed: ChangeFeed<LiveChange<'documents'>>
  readonly #vectors: MemoryVectors | null
  #embedding: Background | null = null
  #documents: Documents | null = null
  #failure: Error | null = null
  #wasOpen = false
  #scanning: Background | null = null

  constructor(world: World<typeof settings>, config: DocumentsConfig) {
    this.#world = world
    const { path, enabled } = chooseFolder(world, config)
    this.#path = path
    this.#enabled = enabled
    const { db, clock, log } = world
    this.#audit = new Audit({ db, clock, prefix: 'docstore', guards: world.guards })
    this.#feed = new ChangeFeed(log)
    const embedder = embedderOf(world)
    this.#vectors = embedder && new MemoryVectors(world, embedder)
    this.memories = new Memories({ ...world, limit: limitsOf(world).memories }, this.#vectors)
  }

  readonly metrics = [
    gauge('svc_docstore_documents', 'Documents in the folder', async () => (await this.#documents?.count()) ?? 0),
  ]

  async start(): Promise<void> {
    const vectors = this.#vectors
    if (vectors) {
      const { clock, log } = this.#world
      const work = (signal: AbortSignal) => vectors.fill(signal)
      this.#embedding = background({ clock, log, name: 'memory embedding', everyMs: EMBED_MS, atOnce: true, work })
    }
    if (!this.#enabled) return
    await this.#open()
    const { clock, log, settings } = this.#world
    const everyMs = settings.scanSecs * 1000
    const work = () => this.#look()
    this.#scanning = background({ clock, log, name: 'document scan', everyMs, work })
  }

  async stop(): Promise<void> {
    await Promise.all([this.#scanning?.stop(), this.#embedding?.stop()])
    await this.#documents?.stop()
    this.#documents = null
  }

  async health(): Promise<Record<string, unknown>> {
    if (!this.#enabled) return { documents_enabled: false }
    if (this.#documents === null) throw this.#failure ?? new Error('documents are not loaded yet')
    const { folder, ignored } = this.#documents
    await this.#documents.disk.mustBeUsable()
    return { documents_enabled: true, documents_path: folder.root, documents_ignored: ignored.length }
  }

  async tools(actor: Actor): Promise<Server> {
    // Loaded on demand: the protocol uses several MiB.
    const { createToolServer } = await import('./mcp/server.ts')
    const { call, log } = this.#world
    const context = {
      docstore: call(docstoreOperations),
      orchestrator: call(orchestratorOperations),
      controller: call(controllerOperations),
      communicate: call(communicateOperations),
      self: viewerOf(actor).names.at(-1) ?? NOBODY,
      identifier: actor.agent ?? authorOf(actor),
      readsOnly: actor.role === 'viewer',
    }
    const unexpected = (error: unknown) => log.error({ error, request_id: actor.requestId }, 'tool call failed')
    return createToolServer(context, { version: PROTOCOL_SERVER_VERSION, unexpected })
  }

  readonly documents = (): Documents => {
    if (!this.#enabled)
      throw new Problem(501, 'documents are disabled: set DOCSTORE_DOCUMENTS_ENABLED=true and restart the daemon')
    if (this.#documents === null) throw this.#failure ?? new Problem(503, 'documents are not loaded yet')
    return this.#documents
  }

  readonly writer: Docstore['writer'] = (id, path) => this.#audit.latest('documents', id, path)

  readonly changes: Docstore['changes'] = (listener, since = null) => {
    const { clock, log } = this.#world
    return listen({ feed: this.#feed, audit: this.#audit, clock, log }, listener, { kinds: ['documents'], since })
  }

  #publishChange(id: string): void {
    this.#feed.publish({ kind: 'documents', id, name: id })
  }

  async #look(): Promise<void> {
    if (this.#documents && (await this.#documents.folder.isSame())) return this.#documents.scan()
    const former = this.#documents
    this.#documents = null
    this.#failure = null
    await former?.stop()
    await this.#open()
  }

  /** A failure does not prevent the start and is retried later. */
  async #open(): Promise<void> {
    try {
      const { db, vault, clock, log, config } = this.#world
      const world = {
        db,
        vault,
        clock,
        log,
        config,
        limits: limitsOf(this.#world),
        audit: this.#audit,
        publishChange: (id: string) => this.#publishChange(id),
      }
      this.#documents = await Documents.open(world, this.#path, { isBack: this.#wasOpen })
      this.#wasOpen = true
      this.#documents.start()
    } catch (error) {
      this.#failure = error as Error
      this.#world.log.error({ folder: this.#path, error: this.#failure.message }, 'failed to open the document folder')
    }
  }
}
