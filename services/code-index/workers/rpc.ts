// Questions to a worker, a thread or a process, and its answers, with what it says on the way.
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

/** What went wrong in a worker; `kind` is the name of the error there. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure'
  readonly kind: string

  constructor(message: string, kind: string) {
    super(message)
    this.kind = kind
  }
}

/** Methods of a worker by name; each takes one value, and may say something before it answers. */
export type Methods = Record<string, (input: any, note: (value: any) => void) => Promise<unknown>>

/** Where messages come from and go to. */
export interface Port {
  postMessage(message: unknown, transfer?: []): void
  on(event: 'message', heard: (message: any) => void): unknown
}

/** A worker as who asks it sees it. */
export interface Peer extends Port {
  on(event: 'message', heard: (message: any) => void): unknown
  on(event: 'error', heard: (error: Error) => void): unknown
  on(event: 'exit', heard: () => void): unknown
  /** Keeps nobody alive from here on. */
  unref(): void
  terminate(): Promise<unknown>
}

/** Answers what is asked over `port`, side by side. */
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
  resolve(result: any): void
  reject(error: Error): void
  note(value: any): void
}

interface CallOptions {
  /** Hears what is said before the answer. */
  note?(value: any): void
  /** Without an answer after so long the worker is ended, with all that was asked of it; default never. */
  deadlineMs?: number
}

/** A worker that is started when it is first asked, and again after it has ended. */
export class Client<M extends Methods> {
  readonly #start: () => Peer
  /** What it is, in a message. */
  readonly #what: string
  readonly #idleMs: number | null
  #idle: NodeJS.Timeout | null = null
  readonly #waiting = new Map<number, Waiting>()
  #worker: Peer | null = null
  #asked = 0
  #stopped = false

  /** Without a question for `idleMs` it is ended, until the next one; default never. */
  constructor(what: string, start: () => Peer, idleMs: number | null = null) {
    this.#what = what
    this.#start = start
    this.#idleMs = idleMs
  }

  /** Throws a WorkerFailure for what the method throws, and when the worker ends before it has answered. */
  call<Name extends keyof M & string>(
    method: Name,
    input: Parameters<M[Name]>[0],
    { note = () => undefined, deadlineMs }: CallOptions = {},
  ): Promise<Awaited<ReturnType<M[Name]>>> {
    if (this.#stopped) return Promise.reject(new WorkerFailure('the service is stopping', 'Stopped'))
    const id = this.#asked++
    const worker = (this.#worker ??= this.#startWorker())
    const answered = new Promise<Awaited<ReturnType<M[Name]>>>((resolve, reject) => {
      worker.postMessage({ id, method, input } satisfies Call, [])
      this.#waiting.set(id, { resolve, reject, note })
    })
    if (deadlineMs === undefined) return answered
    const timer = setTimeout(() => this.#endLate(worker, deadlineMs), deadlineMs)
    return answered.finally(() => clearTimeout(timer))
  }

  get running(): boolean {
    return this.#worker !== null
  }

  /** Ends it, whatever it does; what was asked is refused. */
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
    worker.on('message', (said: Said) => this.#receive(said))
    worker.on('error', (error) => this.#failAll(worker, `its ${this.#what} ended: ${error.message}`))
    const message = () => (this.#stopped ? 'the service is stopping' : `its ${this.#what} ended`)
    worker.on('exit', () => this.#failAll(worker, message()))
    return worker
  }

  #receive(said: Said): void {
    const waiting = this.#waiting.get(said.id)
    if (!waiting) return
    if ('note' in said) return waiting.note(said.note)
    this.#waiting.delete(said.id)
    this.#scheduleRest()
    if ('error' in said) waiting.reject(new WorkerFailure(said.error.message, said.error.kind))
    else waiting.resolve(said.result)
  }

  /** Who is busy hears nothing: only its end helps. */
  #endLate(worker: Peer, ms: number): void {
    this.#failAll(worker, `its ${this.#what} did not answer within ${ms / 1000} s, and was ended`)
    void worker.terminate()
  }

  #failAll(worker: Peer, message: string): void {
    if (this.#worker !== worker) return
    this.#worker = null
    const kind = this.#stopped ? 'Stopped' : 'Ended'
    for (const { reject } of this.#waiting.values()) reject(new WorkerFailure(message, kind))
    this.#waiting.clear()
  }
}

/** One whose worker is a thread. */
export class WorkerClient<M extends Methods> extends Client<M> {
  constructor(file: string, data: object, resourceLimits: ResourceLimits) {
    super('thread', () => new Worker(file, { workerData: data, resourceLimits, env: {}, execArgv: [] }))
  }
}
