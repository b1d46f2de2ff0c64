import type { ModelId } from '../store/port.ts'

export interface Passage {
  path: string
  symbol: string | null
  content: string
  /** Result of `wordsOf`, if already computed. */
  words?: ReadonlyMap<string, { all: number }>
}

export interface Embedder {
  readonly id: ModelId
  /** Returns a unit vector per passage, or zeros if the model knows no word of it. Throws an EmbeddingFailure. */
  passages(passages: readonly Passage[]): Promise<Float32Array[]>
  /** Throws an EmbeddingFailure. */
  query(text: string): Promise<Float32Array>
}

export const EMBEDDING_PROVIDERS = ['local', 'hosted', 'builtin'] as const
export type EmbeddingProvider = (typeof EMBEDDING_PROVIDERS)[number]

export interface EmbeddingSettings {
  provider: EmbeddingProvider
  model: string
  endpoint: string
  /** Bearer token; null for none. */
  key: string | null
  /** Per request. */
  timeoutMs: number
  /** Provider, model or endpoint were set explicitly: no fallback. */
  chosen: boolean
  /** Path of the builtin weights. */
  weights: string
}

/** The message is complete; callers add nothing. */
export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure'
  /** Connection refused or no route: nothing was sent. */
  readonly unreachable: boolean

  constructor(message: string, { unreachable = false, cause }: { unreachable?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.unreachable = unreachable
  }
}
