// A kind as a person names it.
import type { KindDefinition } from '../schemas/kind.ts'
import { findKind, kinds } from '../schemas/kinds.ts'
import { nearestHint } from '../schemas/validation/nearest.ts'
import { misuse } from './failure.ts'

/** By any of its words: `agents`, `agent`, `Agent`. Throws misuse that names the nearest of them. */
export function kindNamed(word: string): KindDefinition {
  const kind = findKind(word, kinds)
  if (kind) return kind
  const words = kinds.map((each) => each.kind)
  const candidates = [...words, ...kinds.map(({ title }) => title)]
  throw misuse(`there is no kind ${word}`, nearestHint(word, candidates, `there are ${words.join(', ')}`))
}
