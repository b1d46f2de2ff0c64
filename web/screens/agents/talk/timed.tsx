import type { ReactNode } from 'react'
import { Moment } from '../../../parts/time/age.tsx'
import styles from './talk.module.css'

/** A part of the conversation beside its time. */
export function Timed({ at, children }: { at: string; children: ReactNode }) {
  return (
    <div className={styles['timed']}>
      <span className={styles['when']}>
        <Moment at={at} />
      </span>
      <div>{children}</div>
    </div>
  )
}
