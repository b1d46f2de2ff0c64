import type { KindDefinition } from '../schemas/kind.ts'
import { findKind, kinds } from '../schemas/kinds.ts'
import { nearestHint } from '../schemas/validation/nearest.ts'
import { misuse } from './failure.ts'

/** Accepts `agents`, `agent` and `Agent`. Throws misuse with the nearest kind. */
export function kindNamed(word: string): KindDefinition {
  const kind = findKind(word, kinds)
  if (kind) return kind
  const words = kinds.map((each) => each.kind)
  const candidates = [...words, ...kinds.map(({ title }) => title)]
  throw misuse(`unknown kind ${word}`, nearestHint(word, candidates, `known kinds: ${words.join(', ')}`))
}
