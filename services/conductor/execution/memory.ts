// The record of a repository in shared memory: what earlier runs reported.
import * as Type from 'typebox'
import { Problem, unprocessable } from '../../../platform/core/problem.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import type { ClientOf } from '../../../platform/http/client.ts'
import { ConductorCounts, HEALTHS, RUN_STATUSES, Stop } from '../../../schemas/conductor/run.ts'
import { LONGEST_MEMORY, type Memory } from '../../../schemas/docstore/memory.ts'
import type { docstoreOperations } from '../../../schemas/operations/docstore.ts'
import { mapOf, orNull } from '../../../schemas/shapes.ts'
import { createAjv } from '../../../schemas/validation/ajv.ts'
import type { Reported, RunRecord } from '../decision/contract.ts'
import { keyOf } from '../runs.ts'
import { isStopping, type Problems } from './problems.ts'

/** Author of the record, and sender of messages. */
export const CONDUCTOR = 'conductor'

const MemoryRecord = Type.Object({
  version: Type.Literal(1),
  repository: Type.String(),
  run: Type.String(),
  at: Type.String(),
  health: Type.Enum([...HEALTHS]),
  status: Type.Enum([...RUN_STATUSES]),
  stopped: orNull(Stop),
  counts: ConductorCounts,
  reported: mapOf(Type.Number()),
})
type MemoryRecord = Type.Static<typeof MemoryRecord>

const isRecord = createAjv().compile<MemoryRecord>(MemoryRecord)

export interface Remembered {
  /** Id of the newest record; null if there is none. */
  id: string | null
  /** Null: the memory cannot be reached. */
  reported: Reported
}

export interface MemoryWorld {
  docstore: ClientOf<typeof docstoreOperations>
  problems: Problems
  log: Log
  repository: string
}

interface RunFacts {
  id: string
  at: string
}

export class PipelineMemory {
  readonly #world: MemoryWorld
  /** Records of this repository, newest first. */
  #records: readonly Memory[] = []
  #isReachable = false

  constructor(world: MemoryWorld) {
    this.#world = world
  }

  async read(): Promise<Remembered> {
    try {
      this.#records = await this.#list()
      this.#isReachable = true
    } catch (error) {
      this.#unavailable('cannot be read', error)
      return { id: null, reported: null }
    }
    const [newest] = this.#records
    return { id: newest?.id ?? null, reported: newest ? this.#reportedOf(newest) : new Map() }
  }

  /** Stores the record, then deletes the one before the last. Returns whether it is stored. */
  async remember(record: RunRecord, run: RunFacts): Promise<boolean> {
    // A record from here would replace reports that could not be read.
    if (!this.#isReachable) return false
    const [last, ...older] = this.#records
    try {
      await this.#world.docstore.createMemory({
        body: {
          created_by: CONDUCTOR,
          content: contentOf(this.#world.repository, record, run),
          tags: [CONDUCTOR, 'pipeline', this.#tag, `health:${record.health}`],
          ...(last ? { supersedes: last.id } : {}),
        },
      })
    } catch (error) {
      this.#unavailable('cannot be written', error)
      return false
    }
    for (const { id } of older) await this.#delete(id)
    return true
  }

  get #tag(): string {
    return `repo:${keyOf(this.#world.repository)}`
  }

  async #list(): Promise<Memory[]> {
    const found = await this.#world.docstore.listMemories({ query: { tag: this.#tag, created_by: CONDUCTOR } })
    const own = found.filter(({ tags }) => tags.includes(CONDUCTOR) && tags.includes('pipeline'))
    // After a crash between writing and deleting, superseded records are left.
    return [...own.filter(isCurrent), ...own.filter((each) => !isCurrent(each))]
  }

  #reportedOf({ id, content }: Memory): ReadonlyMap<string, number> {
    const record = parsed(content)
    if (isRecord(record)) return new Map(Object.entries(record.reported))
    this.#world.problems.add('memory-unreadable', `memory ${id} is not a record of the conductor: it is replaced`)
    return new Map()
  }

  /** A record that remains is deleted by the next run. */
  async #delete(id: string): Promise<void> {
    const { docstore, log } = this.#world
    await docstore.deleteMemory({ params: { id } }).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      log.warn({ memory: id, error: error.message }, 'failed to delete an old record of the conductor')
    })
  }

  #unavailable(what: string, error: unknown): void {
    if (!(error instanceof Problem) || isStopping(error)) throw error
    this.#world.problems.add('memory-unavailable', `the memory of the pipeline ${what}: ${error.message}`)
  }
}

const isCurrent = ({ superseded_by }: Memory): boolean => superseded_by === null

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return null
  }
}

/** Throws a Problem if it is too long for a memory: without a part of it the next run would repeat reports. */
function contentOf(repository: string, { reported, ...rest }: RunRecord, { id, at }: RunFacts): string {
  const { health, status, stopped, counts } = rest
  const record: MemoryRecord = {
    version: 1,
    repository,
    run: id,
    at,
    health,
    status,
    stopped,
    counts,
    reported: Object.fromEntries(reported ?? []),
  }
  const content = JSON.stringify(record)
  if (content.length <= LONGEST_MEMORY) return content
  const size = `${content.length} characters, a memory has at most ${LONGEST_MEMORY}`
  throw unprocessable(`the record has ${size}: resolve some of what was reported`)
}
