// Embedding by an endpoint that speaks as OpenAI's does: on this machine, or hosted.
import { setTimeout as sleep } from 'node:timers/promises'
import { unit } from '../search/vector.ts'
import type { ModelId } from '../store/port.ts'
import { EmbeddingFailure, type Embedder, type EmbeddingSettings, type Passage } from './embedder.ts'

const BATCH = 64
/** Characters of a text that are sent. */
const LONGEST_TEXT = 8000
/** A question is not worth waiting for longer, retries included. */
const LONGEST_QUERY_MS = 10_000
/** Waits before an endpoint that is busy is asked again. */
const RETRY_MS = [250, 1000, 4000]
/** Bytes of a refusal that are read. */
const LARGEST_REFUSAL = 4096
/** Bytes of an answer that are read: 64 vectors of some thousand members, as text. */
const LARGEST_ANSWER = 16 * 1024 * 1024
const LARGEST_DIM = 8192

type Asked = Pick<EmbeddingSettings, 'provider' | 'model' | 'endpoint' | 'key' | 'timeoutMs'>

export class RemoteEmbedder implements Embedder {
  readonly id: ModelId
  readonly #asked: Asked

  private constructor(asked: Asked, dim: number) {
    this.#asked = asked
    this.id = { provider: asked.provider, model: asked.model, dim }
  }

  /** Asks once, to learn how long its vectors are. Throws an EmbeddingFailure. */
  static async probe(asked: Asked): Promise<RemoteEmbedder> {
    const [vector] = await vectorsOf(asked, ['function'], null, queryMs(asked))
    return new RemoteEmbedder(asked, vector!.length)
  }

  /** One whose vectors are known to be so long. */
  static known(asked: Asked, dim: number): RemoteEmbedder {
    return new RemoteEmbedder(asked, dim)
  }

  async passages(passages: readonly Passage[]): Promise<Float32Array[]> {
    const made: Float32Array[] = []
    for (let at = 0; at < passages.length; at += BATCH) {
      const texts = passages.slice(at, at + BATCH).map(textOf)
      made.push(...(await vectorsOf(this.#asked, texts, this.id.dim)))
    }
    return made
  }

  async query(text: string): Promise<Float32Array> {
    const [vector] = await vectorsOf(this.#asked, [text], this.id.dim, queryMs(this.#asked))
    return vector!
  }
}

const textOf = ({ path, symbol, content }: Passage): string =>
  `${path}${symbol === null ? '' : ` ${symbol}`}\n${content}`.slice(0, LONGEST_TEXT)

const queryMs = ({ timeoutMs }: Asked): number => Math.min(timeoutMs, LONGEST_QUERY_MS)

/**
 * One vector of length 1 a text. `dim` null: as long as they come, all the same. `inAllMs`: how long all of it may take,
 * the waits between retries included; default: as long as each request may take by itself.
 */
async function vectorsOf(
  asked: Asked,
  texts: readonly string[],
  dim: number | null,
  inAllMs: number | null = null,
): Promise<Float32Array[]> {
  const until = performance.now() + (inAllMs ?? Infinity)
  for (const wait of [...RETRY_MS, null]) {
    const left = Math.max(1, until - performance.now())
    const response = await ask(asked, texts, Math.min(asked.timeoutMs, left))
    if (response.ok) return checked(asked, await bodyOf(asked, response), texts.length, dim)
    const isBusy = response.status === 429 || response.status >= 500
    const said = await refusalOf(response)
    if (!isBusy || wait === null || performance.now() + wait > until)
      throw failure(asked, `answered ${response.status}${said === '' ? '' : `: ${said}`}`)
    await sleep(wait)
  }
  throw failure(asked, 'did not answer')
}

async function ask(asked: Asked, texts: readonly string[], ms: number): Promise<Response> {
  const { endpoint, model, key } = asked
  try {
    return await fetch(`${endpoint.replace(/\/+$/, '')}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, input: texts }),
      redirect: 'error',
      signal: AbortSignal.timeout(Math.ceil(ms)),
    })
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    if (name === 'TimeoutError') throw failure(asked, `did not answer within ${seconds(ms)} s`)
    const code = cause?.code ?? name
    const isUnreachable = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'].includes(code)
    throw failure(asked, `cannot be reached (${code})`, { unreachable: isUnreachable, cause: error })
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

async function bodyOf(asked: Asked, response: Response): Promise<unknown> {
  try {
    const { bytes, isWhole } = await firstBytes(response, LARGEST_ANSWER)
    if (!isWhole) throw new Error(`it is longer than ${LARGEST_ANSWER} bytes`)
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw failure(asked, `gave an answer that cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

function checked(asked: Asked, body: unknown, count: number, dim: number | null): Float32Array[] {
  const data: unknown = (body as { data?: unknown } | null)?.data
  if (!Array.isArray(data) || data.length !== count)
    throw failure(
      asked,
      `should answer with a list "data" of ${count}, and has ${Array.isArray(data) ? data.length : 'none'}`,
    )
  const placed: unknown[] = []
  for (const [at, item] of data.entries())
    placed[placeOf(item, at)] = (item as { embedding?: unknown } | null)?.embedding
  const wanted = dim ?? (Array.isArray(placed[0]) ? placed[0].length : 0)
  return Array.from({ length: count }, (_each, at) => vectorOf(asked, placed[at], wanted))
}

function placeOf(item: unknown, at: number): number {
  const index: unknown = (item as { index?: unknown } | null)?.index
  return Number.isInteger(index) ? (index as number) : at
}

function vectorOf(asked: Asked, given: unknown, dim: number): Float32Array {
  if (!Array.isArray(given) || given.length === 0 || given.length > LARGEST_DIM)
    throw failure(
      asked,
      `should give vectors of 1 to ${LARGEST_DIM} numbers, and gave ${Array.isArray(given) ? given.length : 'none'}`,
    )
  if (given.length !== dim)
    throw failure(
      asked,
      `gave a vector of ${given.length} numbers where ${dim} are wanted: has its model changed? Reindex`,
    )
  if (!given.every((each) => typeof each === 'number' && Number.isFinite(each)))
    throw failure(asked, 'gave a vector with something in it that is no number')
  const vector = unit(Float32Array.from(given as number[]))
  if (!vector) throw failure(asked, 'gave a vector without a direction (all of it is zero)')
  return vector
}

function failure(
  { endpoint, model }: Asked,
  what: string,
  more: { unreachable?: boolean; cause?: unknown } = {},
): EmbeddingFailure {
  const next = 'see SVC_INDEX_EMBEDDING_ENDPOINT, or set SVC_INDEX_EMBEDDING_PROVIDER=builtin'
  return new EmbeddingFailure(`the embedding endpoint ${endpoint} (model ${model}) ${what}; ${next}`, more)
}
