// Posts to an OpenAI-compatible endpoint: retries while it is busy, with bounded time and response size.
import { setTimeout as sleep } from 'node:timers/promises'

export interface Endpoint {
  /** Base URL. */
  endpoint: string
  /** Bearer token; null for none. */
  key: string | null
  /** Per request. */
  timeoutMs: number
}

/** The message does not name the endpoint; callers add it. */
export class EndpointFailure extends Error {
  override readonly name = 'EndpointFailure'
  /** Connection refused or no route: nothing was sent. */
  readonly unreachable: boolean

  /** The connection was closed before a response. */
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
  path: string
  body: object
  /** Maximum response size in bytes. */
  largest: number
  /** Total time in milliseconds, retries included; null for the time-out of each request only. */
  inAllMs: number | null
}

const RETRY_MS = [250, 1000, 4000]
/** Errors of a closed keep-alive connection. */
const CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']
/** Bytes. */
const LARGEST_REFUSAL = 4096

/** Returns the parsed JSON. Throws an EndpointFailure. */
export async function askEndpoint(endpoint: Endpoint, asked: Asked): Promise<unknown> {
  const until = performance.now() + (asked.inAllMs ?? Infinity)
  for (const wait of [...RETRY_MS, null]) {
    const left = Math.max(1, until - performance.now())
    const response = await sent(endpoint, asked, Math.min(endpoint.timeoutMs, left))
    if (response.ok) return bodyOf(response, asked.largest)
    const isBusy = response.status === 429 || response.status >= 500
    const said = await refusalOf(response)
    if (!isBusy || wait === null || performance.now() + wait > until)
      throw new EndpointFailure(`returned ${response.status}${said === '' ? '' : `: ${said}`}`)
    await sleep(wait)
  }
  throw new EndpointFailure('did not answer')
}

/** Retries once if a keep-alive connection was closed: the request is idempotent. */
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
    const flags = { unreachable: isUnreachable, closed: CLOSED.includes(code) }
    throw new EndpointFailure(`is unreachable (${code})`, { ...flags, cause: error })
  }
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10

async function refusalOf(response: Response): Promise<string> {
  const { bytes } = await firstBytes(response, LARGEST_REFUSAL).catch(() => ({ bytes: Buffer.alloc(0) }))
  return bytes.toString('utf8').slice(0, 200)
}

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
    if (!isWhole) throw new Error(`longer than ${largest} bytes`)
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new EndpointFailure(`returned an unreadable response: ${(error as Error).message}`, { cause: error })
  }
}
