import { ageText } from './durations.ts'
import { clockText, dateText } from './dates.ts'
import { useTimed } from './use-clock.ts'

/** The age of `at`; the time itself while the connection is lost. Renders when its text changes. */
export function Age({ at, ago = false }: { at: string; ago?: boolean }) {
  const time = Date.parse(at)
  const text = useTimed((clock) =>
    clock.stoppedAt === null ? `${ageText(clock.now() - time)}${ago ? ' ago' : ''}` : dateText(time, clock.now()),
  )
  return <Time at={at} text={text} />
}

/** A time of today, or a date. */
export function Moment({ at }: { at: string }) {
  const time = Date.parse(at)
  return <Time at={at} text={useTimed((clock) => dateText(time, clock.now()))} />
}

function Time({ at, text }: { at: string; text: string }) {
  return (
    <time className="num" dateTime={at} title={clockText(Date.parse(at))}>
      {text}
    </time>
  )
}
