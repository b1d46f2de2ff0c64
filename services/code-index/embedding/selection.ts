// Who embeds: what the settings say, or what needs nobody where nothing listens and nobody chose.
import type { ModelId } from '../store/port.ts'
import { BuiltinEmbedder } from './builtin.ts'
import { EmbeddingFailure, type Embedder, type EmbeddingSettings } from './embedder.ts'
import { RemoteEmbedder } from './remote.ts'

export interface SelectedEmbedder {
  embedder: Embedder
  /** Why it is not the one of the settings; null where it is. */
  instead: string | null
}

/** For an indexing that begins now. Throws an EmbeddingFailure. */
export async function selectEmbedder(settings: EmbeddingSettings): Promise<SelectedEmbedder> {
  if (settings.provider === 'builtin') return { embedder: BuiltinEmbedder.load(settings.weights), instead: null }
  try {
    return { embedder: await RemoteEmbedder.probe(settings), instead: null }
  } catch (error) {
    const mayFallBack = error instanceof EmbeddingFailure && error.unreachable && !settings.chosen
    if (!mayFallBack) throw error
    const instead = `nothing listens at ${settings.endpoint}, and no embedding was chosen: the builtin one is used`
    return { embedder: BuiltinEmbedder.load(settings.weights), instead }
  }
}

/** For questions to what `id` has made, whatever the settings say by now. Throws an EmbeddingFailure. */
export function openEmbedder(id: ModelId, settings: EmbeddingSettings): Embedder {
  if (id.provider === 'builtin') {
    const embedder = BuiltinEmbedder.load(settings.weights)
    if (embedder.id.model === id.model) return embedder
    throw new EmbeddingFailure(`the index was made by builtin/${id.model}, which is not here any more: reindex`)
  }
  const provider = settings.provider === 'hosted' ? 'hosted' : 'local'
  if (id.provider !== provider)
    throw new EmbeddingFailure(
      `the index was made by ${id.provider}/${id.model}, and ${settings.provider} is set now: reindex`,
    )
  return RemoteEmbedder.known({ ...settings, model: id.model }, id.dim)
}
