import type { Tone } from './states.ts'

/** The three sides of a resource, compared; `live` is null if it is unknown. As `sides` of a resource. */
export interface Sides {
  desired: boolean
  live: boolean | null
}

export type Square = 'filled' | 'hollow' | 'dashed'

export interface Mark {
  /** Desired, last applied, live. */
  squares: readonly [Square, Square, Square]
  /** Whether neighbours are joined, because they are equal. */
  joins: readonly [boolean, boolean]
  tone: Tone
  words: string
}

/** A square has the fill of the side it equals: of the manifest, filled; of an earlier state, hollow. */
export function markOf({ desired, live }: Sides): Mark {
  const applied: Square = desired ? 'filled' : 'hollow'
  return {
    squares: ['filled', applied, live === null ? 'dashed' : live ? applied : 'hollow'],
    joins: [desired, live === true],
    tone: live === false ? 'drift' : desired ? 'idle' : 'accent',
    words: wordsOf(desired, live),
  }
}

function wordsOf(desired: boolean, live: boolean | null): string {
  const parts = [
    ...(desired ? [] : ['manifest changed, not applied yet']),
    ...(live === null ? ['live state is unknown'] : live ? [] : ['live differs from last applied']),
  ]
  return parts.length === 0 ? 'desired, last applied and live are equal' : parts.join('; ')
}
