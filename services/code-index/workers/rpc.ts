// Request/response calls to a worker thread or process, with progress notes.
import { Worker, type ResourceLimits } from 'node:worker_threads'

interface Call {
  id: number
  method: string
  input: unknown
}

type Said =
  | { id: number; result: unknown }
  | { id: number; error: { message: string; kind: string } }
  | { id: number; note: unknown }

/** A failure in a worker; `kind` is the error name there, or `Late`, `Ended` or `Stopped`. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure'
  readonly kind: string

  constructor(message: string, kind: string) {
    super(message)
    this.kind = kind
  }
}

/** Each method takes one value and may send notes before it returns. */
export type Methods = Record<string, (input: any, note: (value: any) => void) => Promise<unknown>>

export interface Port {
  postMessage(message: unknown, transfer?: []): void
  on(event: 'message', heard: (message: any) => void): unknown
}

export interface Peer extends Port {
  on(event: 'message', heard: (message: any) => void): unknown
  on(event: 'error', heard: (error: Error) => void): unknown
  on(event: 'exit', heard: () => void): unknown
  /** Lets the daemon exit while the worker runs. */
  unref(): void
  terminate(): Promise<unknown>
}

/** Serves calls concurrently. */
export function answer(port: Port, methods: Methods): void {
  port.on('message', ({ id, method, input }: Call) => {
    const say = (said: Said) => port.postMessage(said)
    const work = async () => methods[method]!(input, (note) => say({ id, note }))
    work().then(
      (result) => say({ id, result }),
      (error: Error) => say({ id, error: { message: error.message, kind: error.name } }),
    )
  })
}

interface Waiting {
  call: Call
  /** Ends the wait of this call; null for a call without a deadline. */
  timer: NodeJS.Timeout | null
  resolve(result: any): void
  reject(error: Error): void
  note(value: any): void
}

interface CallOptions {
  note?(value: any): void
  /**
   * Without an answer or a note for this time, the worker is terminated, the call fails with kind `Late`, and a new
   * worker gets the other pending calls; default none.
   */
  deadlineMs?: number
}

/** Starts its worker on first use, and again after it has ended. */
export class Client<M extends Methods> {
  readonly #start: () => Peer
  readonly #what: string
  readonly #idleMs: number | null
  #idle: NodeJS.Timeout | null = null
  readonly #waiting = new Map<number, Waiting>()
  #worker: Peer | null = null
  #asked = 0
  #stopped = false

  /** `idleMs`: terminates the idle worker after this time; default never. */
  constructor(what: string, start: () => Peer, idleMs: number | null = null) {
    this.#what = what
    this.#start = start
    this.#idleMs = idleMs
  }

  /** Throws a WorkerFailure if the method throws or the worker ends early. */
  call<Name extends keyof M & string>(
    method: Name,
    input: Parameters<M[Name]>[0],
    { note = () => undefined, deadlineMs }: CallOptions = {},
  ): Promise<Awaited<ReturnType<M[Name]>>> {
    if (this.#stopped) return Promise.reject(new WorkerFailure('the service is stopping', 'Stopped'))
    const call: Call = { id: this.#asked++, method, input }
    const worker = (this.#worker ??= this.#startWorker())
    const timer = deadlineMs === undefined ? null : setTimeout(() => this.#endLate(call.id, deadlineMs), deadlineMs)
    const answered = new Promise<Awaited<ReturnType<M[Name]>>>((resolve, reject) => {
      worker.postMessage(call, [])
      this.#waiting.set(call.id, { call, timer, resolve, reject, note })
    })
    return timer ? answered.finally(() => clearTimeout(timer)) : answered
  }

  get running(): boolean {
    return this.#worker !== null
  }

  /** Terminates the worker; pending calls fail. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#idle) clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }

  #scheduleRest(): void {
    if (this.#idleMs === null) return
    if (this.#idle) clearTimeout(this.#idle)
    const rest = () => {
      if (this.#waiting.size > 0) return
      const worker = this.#worker
      this.#worker = null
      void worker?.terminate()
    }
    this.#idle = setTimeout(rest, this.#idleMs).unref()
  }

  #startWorker(): Peer {
    const worker = this.#start()
    worker.unref()
    worker.on('message', (said: Said) => {
      if (this.#worker === worker) this.#receive(said)
    })
    worker.on('error', (error) => this.#failAll(worker, `the worker ${this.#what} ended: ${error.message}`))
    const message = () => (this.#stopped ? 'the service is stopping' : `the worker ${this.#what} ended`)
    worker.on('exit', () => this.#failAll(worker, message()))
    return worker
  }

  #receive(said: Said): void {
    const waiting = this.#waiting.get(said.id)
    if (!waiting) return
    if ('note' in said) {
      waiting.timer?.refresh()
      return waiting.note(said.note)
    }
    this.#waiting.delete(said.id)
    this.#scheduleRest()
    if ('error' in said) waiting.reject(new WorkerFailure(said.error.message, said.error.kind))
    else waiting.resolve(said.result)
  }

  /** A busy worker cannot react to messages, so it is terminated. The calls that it kept waiting start again. */
  #endLate(id: number, ms: number): void {
    const late = this.#waiting.get(id)
    const worker = this.#worker
    if (!late || !worker) return
    this.#waiting.delete(id)
    this.#worker = null
    void worker.terminate()
    const message = `the worker ${this.#what} did not answer within ${ms / 1000} s and was stopped`
    late.reject(new WorkerFailure(message, 'Late'))
    if (this.#waiting.size === 0) return
    const next = (this.#worker = this.#startWorker())
    for (const { call, timer } of this.#waiting.values()) {
      timer?.refresh()
      next.postMessage(call, [])
    }
  }

  #failAll(worker: Peer, message: string): void {
    if (this.#worker !== worker) return
    this.#worker = null
    const kind = this.#stopped ? 'Stopped' : 'Ended'
    for (const { reject } of this.#waiting.values()) reject(new WorkerFailure(message, kind))
    this.#waiting.clear()
  }
}

export class WorkerClient<M extends Methods> extends Client<M> {
  constructor(file: string, data: object, resourceLimits: ResourceLimits) {
    super('thread', () => new Worker(file, { workerData: data, resourceLimits, env: {}, execArgv: [] }))
  }
}
