import { memo, type CSSProperties } from 'react'
import type { Drift } from '../../../schemas/resource.ts'
import { CutText } from '../../parts/text/cut-text.tsx'
import { clockText, dateText } from '../../parts/time/dates.ts'
import { useNow } from '../../parts/time/use-clock.ts'
import styles from './drift.module.css'
import { axisOf, tracksOf, WINDOW_MS, type Bar } from './rows.ts'

/** Bars move once a minute. */
const STEP_MS = 60_000
const LOOKS = ['open', 'reverted', 'accepted', 'resolved'] as const

const percent = (share: number) => `${(100 * share).toFixed(2)}%`

function barLabel({ drift, look }: Bar, now: number): string {
  const first = Date.parse(drift.first_seen)
  // A time alone would look like one of the last 24 hours.
  const from = now - first < WINDOW_MS ? clockText(first) : dateText(first, now)
  return look === 'open'
    ? `open since ${from}`
    : `${from} to ${clockText(Date.parse(drift.last_seen))}, ${drift.resolution}`
}

/** Drift of the last 24 hours, a track for each resource. */
export const Timeline = memo(function Timeline({ records }: { records: readonly Drift[] }) {
  const now = useNow(STEP_MS)
  const tracks = tracksOf(records, now)
  if (tracks.length === 0) return null
  return (
    <section className={styles['timeline']} aria-label="Drift of the last 24 hours, a track for each resource">
      <div className={styles['axis']} aria-hidden="true">
        {axisOf(now).map(({ at, share }) => (
          <span key={share}>{dateText(at, at)}</span>
        ))}
      </div>
      {tracks.map(({ id, bars, isContest }) => (
        <div key={id} className={styles['track']}>
          <span className="cut">
            <CutText text={id} mono />
          </span>
          <div>
            {bars.map((bar) => (
              <i
                key={bar.id}
                role="img"
                aria-label={barLabel(bar, now)}
                title={barLabel(bar, now)}
                className={styles[bar.look]}
                style={{ '--from': percent(bar.from), '--width': percent(bar.to - bar.from) } as CSSProperties}
              />
            ))}
          </div>
          {isContest && <span className="tag">contest</span>}
        </div>
      ))}
      <p className={styles['legend']}>
        {LOOKS.map((look) => (
          <span key={look}>
            <i className={styles[look]} /> {look}
          </span>
        ))}
      </p>
    </section>
  )
})
