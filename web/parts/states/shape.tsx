import { SHAPES } from './shapes.ts'
import { STATES, type StateName } from './states.ts'

/**
 * The shape of a state. `word` replaces the accessible name; null hides the shape from assistive technology, beside
 * text that has the word.
 */
export function Shape({ state, word }: { state: StateName; word?: string | null }) {
  const { shape, tone, word: name } = STATES[state]
  const label = word === null ? { 'aria-hidden': true } : { role: 'img', 'aria-label': word ?? name }
  return (
    <svg className={`shape c-${tone}`} viewBox="0 0 14 14" {...label}>
      {SHAPES[shape].map(({ d, filled, width = 1.5, dashed, ground }) => (
        <path
          key={d}
          d={d}
          fill={filled ? 'currentColor' : 'none'}
          stroke={filled ? 'none' : ground ? 'var(--paper)' : 'currentColor'}
          strokeWidth={width}
          strokeDasharray={dashed ? '2 2' : undefined}
        />
      ))}
    </svg>
  )
}

/** A state as shape and word. */
export function StateWord({ state, word }: { state: StateName; word?: string }) {
  return (
    <span>
      <Shape state={state} word={null} /> {word ?? STATES[state].word}
    </span>
  )
}
