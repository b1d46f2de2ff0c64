// JSON-RPC 2.0 over lines, both ways: what the Agent Client Protocol is carried by.
import { objectAt, parseFrame, textAt, type Frame } from '../frames.ts'
import type { Timers } from '../timers.ts'

/** Codes of JSON-RPC, and of the Agent Client Protocol. */
export const CODES = { noMethod: -32601, wrongParams: -32602, internal: -32603, signIn: -32000, cancelled: -32800 }

/** Requests of a program that may wait for their answers at once. */
const MOST_OPEN = 1000
/** Characters of a fault's text that are kept. */
const LONGEST_FAULT = 2000

type Id = string | number | null

/** An error answer, to us or from us; code 0 when no answer came. */
export class RpcFault extends Error {
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

export interface PeerOptions {
  timers: Timers
  write(line: string): void
  /** The result for the program; a rejection with an RpcFault is its error. `withdrawn` aborts when it asks no more. */
  onRequest(method: string, params: Frame, withdrawn: AbortSignal): Promise<Frame>
  onNotification(method: string, params: Frame): void
  /** A line that is no message. */
  onOther(line: string): void
}

export class RpcPeer {
  readonly #options: PeerOptions
  readonly #asked = new Map<number, (message: Frame | null) => void>()
  /** Requests of the program without an answer, by their id. */
  readonly #open = new Map<Id, AbortController>()
  #count = 0

  constructor(options: PeerOptions) {
    this.#options = options
  }

  /** The `result`; rejects with an RpcFault on an error, when the program ends, and after `timeoutMs` if given. */
  request(method: string, params: Frame, timeoutMs?: number): Promise<Frame> {
    const id = ++this.#count
    return new Promise((resolve, reject) => {
      const give = (reason: string) => {
        this.#asked.delete(id)
        reject(new RpcFault(`${method}: ${reason}`, 0))
      }
      const patience =
        timeoutMs === undefined
          ? null
          : this.#options.timers.after(timeoutMs, () => give(`no answer within ${timeoutMs / 1000} s`))
      this.#asked.set(id, (message) => {
        patience?.cancel()
        if (!message) return give('the program ended')
        this.#asked.delete(id)
        if (message['error'] === undefined) resolve(objectAt(message, 'result'))
        else reject(faultOf(objectAt(message, 'error')))
      })
      this.#send({ id, method, params })
    })
  }

  notify(method: string, params: Frame): void {
    this.#send({ method, params })
  }

  /** One line of the program. An answer to nothing is ignored. */
  take(line: string): void {
    const message = parseFrame(line)
    if (message?.['jsonrpc'] !== '2.0') return this.#options.onOther(line)
    const { id } = message
    const method = textAt(message, 'method')
    if (method === null) return void (typeof id === 'number' && this.#asked.get(id)?.(message))
    const params = objectAt(message, 'params')
    if (method === '$/cancel_request') this.#open.get(params['requestId'] as Id)?.abort()
    else if (id === undefined) this.#options.onNotification(method, params)
    else if (isId(id)) void this.#answer(id, method, params)
    else this.#options.onOther(line)
  }

  /** The program ended: nothing that was asked is answered any more. */
  close(): void {
    for (const settle of this.#asked.values()) settle(null)
  }

  async #answer(id: Id, method: string, params: Frame): Promise<void> {
    const withdrawn = new AbortController()
    try {
      if (this.#open.has(id)) throw new RpcFault(`the id ${JSON.stringify(id)} is in use`, CODES.wrongParams)
      if (this.#open.size >= MOST_OPEN) throw new RpcFault(`${MOST_OPEN} requests are already pending`, CODES.internal)
      this.#open.set(id, withdrawn)
      this.#send({ id, result: await this.#options.onRequest(method, params, withdrawn.signal) })
    } catch (error) {
      const code = error instanceof RpcFault ? error.code : CODES.internal
      this.#send({ id, error: { code, message: (error as Error).message } })
    } finally {
      if (this.#open.get(id) === withdrawn) this.#open.delete(id)
    }
  }

  #send(message: Frame): void {
    this.#options.write(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }
}

const isId = (id: unknown): id is Id => id === null || typeof id === 'string' || typeof id === 'number'

/** Many programs say in `data` what the message leaves out. */
function faultOf(error: Frame): RpcFault {
  const { code, data } = error
  const details = typeof data === 'string' ? data : textAt(objectAt(error, 'data'), 'details')
  const message = textAt(error, 'message') ?? 'an error without a message'
  const text = details === null || message.includes(details) ? message : `${message}: ${details}`
  return new RpcFault(text.slice(0, LONGEST_FAULT), typeof code === 'number' ? code : CODES.internal)
}
