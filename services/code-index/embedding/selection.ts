import type { ModelId } from '../store/port.ts'
import { BuiltinEmbedder } from './builtin.ts'
import { EmbeddingFailure, type Embedder, type EmbeddingSettings } from './embedder.ts'
import { RemoteEmbedder } from './remote.ts'

export interface SelectedEmbedder {
  embedder: Embedder
  /** Why the configured embedder is not used; null if it is. */
  instead: string | null
}

/** Selects the embedder of a new run. Throws an EmbeddingFailure. */
export async function selectEmbedder(settings: EmbeddingSettings): Promise<SelectedEmbedder> {
  if (settings.provider === 'builtin') return { embedder: BuiltinEmbedder.load(settings.weights), instead: null }
  try {
    return { embedder: await RemoteEmbedder.probe(settings), instead: null }
  } catch (error) {
    const mayFallBack = error instanceof EmbeddingFailure && error.unreachable && !settings.chosen
    if (!mayFallBack) throw error
    const instead = `nothing listens at ${settings.endpoint}, and no embedding is configured: using the builtin embedding`
    return { embedder: BuiltinEmbedder.load(settings.weights), instead }
  }
}

/** Opens the embedder that made an existing index, for queries. Throws an EmbeddingFailure. */
export function openEmbedder(id: ModelId, settings: EmbeddingSettings): Embedder {
  if (id.provider === 'builtin') {
    const embedder = BuiltinEmbedder.load(settings.weights)
    if (embedder.id.model === id.model) return embedder
    throw new EmbeddingFailure(`the index was made by builtin/${id.model}, which is no longer available: reindex`)
  }
  const provider = settings.provider === 'hosted' ? 'hosted' : 'local'
  if (id.provider !== provider)
    throw new EmbeddingFailure(
      `the index was made by ${id.provider}/${id.model}, but ${settings.provider} is configured now: reindex`,
    )
  return RemoteEmbedder.known({ ...settings, model: id.model }, id.dim)
}
