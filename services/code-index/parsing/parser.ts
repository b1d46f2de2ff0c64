import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import type { Definition } from '../chunks/chunk.ts'
import type { SourceFile } from '../chunks/parsers.ts'
import { endingOf } from '../files/languages.ts'
import { startProcess } from '../workers/child-process.ts'
import { Client, WorkerFailure } from '../workers/rpc.ts'
import { faultKey, ParserFaults } from './parser-faults.ts'
import type { Parsing } from './process.ts'

/** Per file. */
const DEADLINE_MS = 30_000
const READY_DEADLINE_MS = 60_000
const IDLE_MS = 60_000
/** Heap of JavaScript in MiB, below the limit of the whole process. */
const MOST_HEAP = 512

interface ParserOptions {
  /** Path of the parser program. */
  program: string
  /** Folder in which texts that ended the process are remembered. */
  folder: string
  deadlineMs?: number
  idleMs?: number
}

export interface Parsed {
  /** Empty for a text that is split by lines. */
  definitions: readonly Definition[]
  /** Why the text ended the parser process; null otherwise. */
  fault: string | null
}

/** Parses one text at a time in a process, so that the cause of its end is known. */
export class Parser {
  readonly #client: Client<Parsing>
  readonly #queue = new SerialQueue()
  readonly #faults: ParserFaults
  readonly #deadlineMs: number

  constructor({ program, folder, deadlineMs = DEADLINE_MS, idleMs = IDLE_MS }: ParserOptions) {
    const options = [`--max-old-space-size=${MOST_HEAP}`]
    this.#client = new Client('process', () => startProcess({ program, args: [], env: {}, options }), idleMs)
    this.#faults = new ParserFaults(folder)
    this.#deadlineMs = deadlineMs
  }

  /** Rejects if the process cannot be started. */
  parse(file: SourceFile, text: string): Promise<Parsed> {
    return this.#queue.run(() => this.#parse(file, text))
  }

  async stop(): Promise<void> {
    await this.#client.stop()
  }

  async #parse(file: SourceFile, text: string): Promise<Parsed> {
    const key = faultKey({ ending: endingOf(file.path), language: file.language, text })
    const known = this.#faults.reason(key)
    if (known !== null) return { definitions: [], fault: known }
    try {
      const definitions = await this.#definitions(file, text)
      return { definitions: definitions ?? [], fault: null }
    } catch (error) {
      const fault = this.#faultOf(error)
      if (fault === null) throw error
      this.#faults.add(key, fault)
      return { definitions: [], fault }
    }
  }

  async #definitions(file: SourceFile, text: string): Promise<Definition[] | null> {
    const call = () => this.#client.call('definitions', { ...file, text }, { deadlineMs: this.#deadlineMs })
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof WorkerFailure) || error.kind !== 'Ended') throw error
      // The process may have been killed by others: only a text that ends it again, after it has started, is at fault.
      await this.#client.call('ready', null, { deadlineMs: READY_DEADLINE_MS }).catch(refuseStart)
      return call()
    }
  }

  /** Null for an error that is not the fault of the text. */
  #faultOf(error: unknown): string | null {
    if (!(error instanceof WorkerFailure)) return null
    if (error.kind === 'Late') return `took longer than ${this.#deadlineMs / 1000} s`
    if (error.kind !== 'Ended') return null
    return /\b(memory|heap)\b/.test(error.message) ? 'used too much memory' : (signalOf(error) ?? 'crashed')
  }
}

/** Signal that ended the process, as in `crashed (SIGSEGV)`. */
function signalOf({ message }: Error): string | null {
  const [, signal] = /ended: (SIG\w+)/.exec(message) ?? []
  return signal === undefined ? null : `crashed (${signal})`
}

function refuseStart(error: unknown): never {
  if (error instanceof WorkerFailure && error.kind === 'Stopped') throw error
  throw new Error(`the parser process cannot be started: ${(error as Error).message}: reindex the repository`)
}
