// What is asked of an endpoint that speaks as OpenAI's: one question, asked again while it is busy, and an answer of bounded
// size within bounded time.
import { setTimeout as sleep } from 'node:timers/promises'

export interface Endpoint {
  /** Base address. */
  endpoint: string
  /** Sent as a bearer token; null for none. */
  key: string | null
  /** Milliseconds that one request may take. */
  timeoutMs: number
}

/** The message says what came, without of whom. */
export class EndpointFailure extends Error {
  override readonly name = 'EndpointFailure'
  /** Nobody listens there: nothing was asked at all. */
  readonly unreachable: boolean

  /** The connection was closed before there was an answer. */
  readonly closed: boolean

  constructor(
    message: string,
    { unreachable = false, closed = false, cause }: { unreachable?: boolean; closed?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.unreachable = unreachable
    this.closed = closed
  }
}

export interface Asked {
  /** Below the base address. */
  path: string
  body: object
  /** Bytes of an answer that are read. */
  largest: number
  /** How long all of it may take, the waits between retries included; null: as long as each request by itself. */
  inAllMs: number | null
}

/** Waits before an endpoint that is busy is asked again. */
const RETRY_MS = [250, 1000, 4000]
/** The other side closed a connection that was kept, or had gone: nothing was answered. */
const CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']
/** Bytes of a refusal that are read. */
const LARGEST_REFUSAL = 4096

/** What it answers, read as JSON. Throws an EndpointFailure. */
export async function askEndpoint(endpoint: Endpoint, asked: Asked): Promise<unknown> {
  const until = performance.now() + (asked.inAllMs ?? Infinity)
  for (const wait of [...RETRY_MS, null]) {
    const left = Math.max(1, until - performance.now())
    const response = await sent(endpoint, asked, Math.min(endpoint.timeoutMs, left))
    if (response.ok) return bodyOf(response, asked.largest)
    const isBusy = response.status === 429 || response.status >= 500
    const said = await refusalOf(response)
    if (!isBusy || wait === null || performance.now() + wait > until)
      throw new EndpointFailure(`answered ${response.status}${said === '' ? '' : `: ${said}`}`)
    await sleep(wait)
  }
  throw new EndpointFailure('did not answer')
}

/** Once more over another connection where it is closed without an answer: the same question has the same answer. */
async function sent(endpoint: Endpoint, asked: Asked, ms: number): Promise<Response> {
  const until = performance.now() + ms
  return post(endpoint, asked, ms).catch((error: EndpointFailure) => {
    const left = until - performance.now()
    if (!error.closed || left <= 0) throw error
    return post(endpoint, asked, left)
  })
}

async function post({ endpoint, key }: Endpoint, { path, body }: Asked, ms: number): Promise<Response> {
  try {
    return await fetch(`${endpoint.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(Math.ceil(ms)),
    })
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    if (name === 'TimeoutError') throw new EndpointFailure(`did not answer within ${seconds(ms)} s`)
    const code = cause?.code ?? name
    const isUnreachable = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'].includes(code)
    const told = { unreachable: isUnreachable, closed: CLOSED.includes(code) }
    throw new EndpointFailure(`cannot be reached (${code})`, { ...told, cause: error })
  }
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10

/** What it says for its refusal, cut. */
async function refusalOf(response: Response): Promise<string> {
  const { bytes } = await firstBytes(response, LARGEST_REFUSAL).catch(() => ({ bytes: Buffer.alloc(0) }))
  return bytes.toString('utf8').slice(0, 200)
}

/** The body up to so many bytes; the rest is not waited for. */
async function firstBytes(response: Response, most: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    parts.push(part)
    length += part.length
    if (length > most) return { bytes: Buffer.concat(parts).subarray(0, most), isWhole: false }
  }
  return { bytes: Buffer.concat(parts), isWhole: true }
}

async function bodyOf(response: Response, largest: number): Promise<unknown> {
  try {
    const { bytes, isWhole } = await firstBytes(response, largest)
    if (!isWhole) throw new Error(`it is longer than ${largest} bytes`)
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new EndpointFailure(`gave an answer that cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
