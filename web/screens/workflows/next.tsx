import { clockText } from '../../parts/time/dates.ts'
import { useTimed } from '../../parts/time/use-clock.ts'
import { firingText, untilText } from './rows.ts'

/** The time until a firing; the time itself while the connection is lost. */
export function Next({ at }: { at: string }) {
  const time = Date.parse(at)
  const text = useTimed((clock) => (clock.stoppedAt === null ? untilText(time - clock.now()) : firingText(time)))
  return (
    <time className="num" dateTime={at} title={clockText(time)}>
      {text}
    </time>
  )
}
