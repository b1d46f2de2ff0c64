import { memo, type CSSProperties } from 'react'
import styles from './talk.module.css'
import type { ConversationMark } from './blocks.ts'

const percent = (share: number) => `${(100 * share).toFixed(2)}%`

interface RulerProps {
  marks: readonly ConversationMark[]
  /** Shares of the conversation, 0 to 1. */
  from: number
  to: number
}

/** Marks beside the conversation, and the part that is in view. The keys `[` and `]` jump between them. */
export const Ruler = memo(function Ruler({ marks, from, to }: RulerProps) {
  return (
    <div className={styles['ruler']} aria-hidden="true">
      {marks.map(({ id, at: place, kind }) => (
        <i
          key={id}
          className={styles[kind === 'turn' ? 'begin' : kind]}
          style={{ '--at': percent(place) } as CSSProperties}
        />
      ))}
      <b style={{ '--at': percent(from), '--size': percent(to - from) } as CSSProperties} />
    </div>
  )
})
