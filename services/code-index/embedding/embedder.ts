// Vectors of code and of questions, whoever makes them.
import type { ModelId } from '../store/port.ts'

/** A chunk as it is embedded. */
export interface Passage {
  path: string
  symbol: string | null
  content: string
  /** Its words with their weights in all, where somebody has counted them already. */
  words?: ReadonlyMap<string, { all: number }>
}

export interface Embedder {
  readonly id: ModelId
  /** A vector of length 1 for each passage. Throws an EmbeddingFailure. */
  passages(passages: readonly Passage[]): Promise<Float32Array[]>
  /** Throws an EmbeddingFailure. */
  query(text: string): Promise<Float32Array>
}

export const EMBEDDING_PROVIDERS = ['local', 'hosted', 'builtin'] as const
export type EmbeddingProvider = (typeof EMBEDDING_PROVIDERS)[number]

/** What the settings say of embedding. */
export interface EmbeddingSettings {
  provider: EmbeddingProvider
  model: string
  endpoint: string
  /** Sent as a bearer token; null for none. */
  key: string | null
  /** Milliseconds that one request may take. */
  timeoutMs: number
  /** Somebody chose the provider, its model or its endpoint: nothing else is taken in its place. */
  chosen: boolean
  /** File with the weights of `builtin`. */
  weights: string
}

/** The message says what was asked of whom, what came, and what to do. */
export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure'
  /** Nobody listens there: nothing was asked at all. */
  readonly unreachable: boolean

  constructor(message: string, { unreachable = false, cause }: { unreachable?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.unreachable = unreachable
  }
}
