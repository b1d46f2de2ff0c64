// The kinds a manifest may be of, by the words they go by.
import type { KindDefinition, KindWords } from '../../schemas/kind.ts'

export type { KindWords } from '../../schemas/kind.ts'

export interface KnownKinds {
  kinds: readonly KindDefinition<any>[]
}

/** Finds a kind by any of its words: plural, singular, or as `kind:` says it. */
export function kindNamed<K extends KindWords>(word: string, among: readonly K[]): K | undefined {
  const wanted = word.toLowerCase()
  return among.find(
    (kind) => kind.kind === wanted || kind.title === wanted || kind.manifestKind.toLowerCase() === wanted,
  )
}
