import { Quoted } from './quoted.tsx'
import { absenceOf, shortValue, valueText } from './value-text.ts'

interface ValueProps {
  value: unknown
  /** On one line, as in a list of changes. */
  short?: boolean
  /** Word for a value that is not set; default "not set". */
  absent?: string
}

/** A value of a manifest or of live state, in mono. That it is not set, or empty, the page says in its own voice. */
export function Value({ value, short = false, absent }: ValueProps) {
  const absence = absenceOf(value)
  if (absence !== null) return <span className="absent">{value == null ? (absent ?? absence) : absence}</span>
  return <Quoted text={short ? shortValue(value) : valueText(value)} mono />
}
