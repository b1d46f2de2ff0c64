import type { CSSProperties } from 'react'
import { remainingText, remainingWords, shareLeft, URGENT_MS } from './durations.ts'
import { clockText } from './dates.ts'
import { useNow, useStoppedAt, useTimed } from './use-clock.ts'

const reducesMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches
const STEP_MS = 1000
const CALM_STEP_MS = 5000

/** A custom property, set through CSSOM: the policy of the page allows no style attribute. */
const shareStyle = (share: number) => ({ '--share': `${(100 * share).toFixed(1)}%` }) as CSSProperties

interface DeadlineProps {
  from: string
  until: string
}

/** Bar of the time that is left; steps of 5 s with reduced motion. */
export function TimeBar({ from, until }: DeadlineProps) {
  const now = useNow(reducesMotion() ? CALM_STEP_MS : STEP_MS)
  const [start, end] = [Date.parse(from), Date.parse(until)]
  return (
    <div className="time" role="img" aria-label={`${remainingWords(end - now)} of ${remainingWords(end - start)} left`}>
      <i style={shareStyle(shareLeft(start, end, now))} />
    </div>
  )
}

/** "2:41", or the time of the deadline while the connection is lost. */
export function Remaining({ until }: Pick<DeadlineProps, 'until'>) {
  const end = Date.parse(until)
  const text = useTimed((clock) => (clock.stoppedAt === null ? remainingText(end - clock.now()) : clockText(end)))
  return <span className="num">{text}</span>
}

/** The deadline of the request on screen. Announces once that less than a minute is left. */
export function Deadline({ from, until, then }: DeadlineProps & { then: string }) {
  const stoppedAt = useStoppedAt()
  const isUrgent = useTimed((clock) => Date.parse(until) - clock.now() < URGENT_MS)
  return (
    <div className="deadline">
      <span>
        {stoppedAt === null ? <Remaining until={until} /> : <>ends {clockText(Date.parse(until))}</>}
        {stoppedAt === null && ' left'}
      </span>
      <TimeBar from={from} until={until} />
      <span className="soft">{then}</span>
      <span className="hide" role="alert">
        {isUrgent && stoppedAt === null ? 'Less than one minute left' : ''}
      </span>
    </div>
  )
}
