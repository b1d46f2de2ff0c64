import { askEndpoint, type EndpointFailure } from '../provider/endpoint.ts'
import { unit } from '../search/vector.ts'
import type { ModelId } from '../store/port.ts'
import { EmbeddingFailure, type Embedder, type EmbeddingSettings, type Passage } from './embedder.ts'

const BATCH = 64
/** Characters sent per text. */
const LONGEST_TEXT = 8000
/** Limit of a query, retries included. */
const LONGEST_QUERY_MS = 10_000
/** Bytes; enough for 64 vectors of several thousand dimensions as text. */
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

  /** Sends one request to learn the dimensions. Throws an EmbeddingFailure. */
  static async probe(asked: Asked): Promise<RemoteEmbedder> {
    const [vector] = await vectorsOf(asked, ['function'], null, queryMs(asked))
    return new RemoteEmbedder(asked, vector!.length)
  }

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
 * Returns a unit vector per text. With `dim` null, accepts any length that all vectors have. `inAllMs` limits the total
 * time, retries included; by default only each request is limited.
 */
async function vectorsOf(
  asked: Asked,
  texts: readonly string[],
  dim: number | null,
  inAllMs: number | null = null,
): Promise<Float32Array[]> {
  const body = { model: asked.model, input: texts }
  const question = { path: '/embeddings', body, largest: LARGEST_ANSWER, inAllMs }
  const answer = await askEndpoint(asked, question).catch((error: EndpointFailure) => {
    throw failure(asked, error.message, { unreachable: error.unreachable, cause: error })
  })
  return checked(asked, answer, texts.length, dim)
}

function checked(asked: Asked, body: unknown, count: number, dim: number | null): Float32Array[] {
  const data: unknown = (body as { data?: unknown } | null)?.data
  if (!Array.isArray(data) || data.length !== count)
    throw failure(
      asked,
      `should return a list "data" of ${count}, instead got ${Array.isArray(data) ? data.length : 'none'}`,
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
      `should return vectors of 1 to ${LARGEST_DIM} numbers, instead got ${Array.isArray(given) ? given.length : 'none'}`,
    )
  if (given.length !== dim)
    throw failure(
      asked,
      `returned a vector of ${given.length} numbers, expected ${dim}: reindex if its model has changed`,
    )
  if (!given.every((each) => typeof each === 'number' && Number.isFinite(each)))
    throw failure(asked, 'returned a vector with a value that is not a finite number')
  const vector = unit(Float32Array.from(given as number[]))
  if (!vector) throw failure(asked, 'returned a vector of zeros')
  return vector
}

function failure(
  { endpoint, model }: Asked,
  what: string,
  more: { unreachable?: boolean; cause?: unknown } = {},
): EmbeddingFailure {
  const next = 'check SVC_INDEX_EMBEDDING_ENDPOINT, or set SVC_INDEX_EMBEDDING_PROVIDER=builtin'
  return new EmbeddingFailure(`the embedding endpoint ${endpoint} (model ${model}) ${what}; ${next}`, more)
}
