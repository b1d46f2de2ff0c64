import * as Type from 'typebox'
import { unavailable } from '../../../platform/core/problem.ts'
import { createAjv } from '../../../schemas/validation/ajv.ts'

export interface Embedder {
  /** Only vectors of the same model can be compared. */
  readonly model: string
  /** Returns unit vectors in order. Throws 503. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
}

const TIMEOUT_MS = 10_000
/** Characters per text; models ignore the rest. */
const LONGEST = 8000
const MOST_DIMENSIONS = 8192
const MOST_BYTES = 16 * 1024 * 1024

const Answer = Type.Object({
  data: Type.Array(
    Type.Object({ index: Type.Integer(), embedding: Type.Array(Type.Number(), { maxItems: MOST_DIMENSIONS }) }),
  ),
})
const isAnswer = createAjv().compile<{ data: { index: number; embedding: number[] }[] }>(Answer)

export function httpEmbedder({ endpoint, model, key }: { endpoint: string; model: string; key?: string }): Embedder {
  const url = `${endpoint.replace(/\/+$/, '')}/embeddings`
  const failed = (reason: string, cause?: unknown) =>
    unavailable(
      `the embedding endpoint ${url} ${reason}: check the endpoint and SVC_DOCSTORE_EMBEDDING_ENDPOINT`,
      undefined,
      cause,
    )
  return {
    model,
    async embed(texts) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
        body: JSON.stringify({ model, input: texts.map((each) => each.slice(0, LONGEST)) }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((error: unknown) => {
        throw failed('does not answer', error)
      })
      const text = await response.text()
      if (!response.ok) throw failed(`returned ${response.status}`)
      if (text.length > MOST_BYTES) throw failed(`returned more than ${MOST_BYTES} bytes`)
      const vectors = vectorsOf(text, texts.length)
      if (vectors === null) throw failed('returned no valid list of embeddings')
      return vectors
    },
  }
}

function vectorsOf(text: string, wanted: number): Float32Array[] | null {
  const answer = parseJson(text)
  if (!isAnswer(answer) || answer.data.length !== wanted) return null
  const found = new Map(answer.data.map(({ index, embedding }) => [index, normalise(embedding)]))
  const vectors = Array.from({ length: wanted }, (_each, index) => found.get(index))
  return vectors.every((each) => each !== undefined && each.length > 0) ? (vectors as Float32Array[]) : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function normalise(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1
  return Float32Array.from(values, (value) => value / length)
}

/** Cosine similarity of unit vectors; null for different dimensions. */
export function nearness(one: Float32Array, other: Float32Array): number | null {
  if (one.length !== other.length) return null
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!
  return sum
}

export const toText = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')

export function fromText(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4))
}
