import { useMemo, useState, type ReactNode } from 'react'

/** Rows that a long list shows at first, and that each click adds. */
const STEP = 200

/** The first rows of a long list, at least those up to the current one, and a button for more. */
export function useFirstRows<Row>(
  rows: readonly Row[],
  current: Row | undefined,
): [shown: readonly Row[], more: ReactNode] {
  const [most, setMost] = useState(STEP)
  const needed = current === undefined ? 0 : rows.indexOf(current) + 1
  const count = Math.max(most, Math.ceil(needed / STEP) * STEP)
  const shown = useMemo(() => rows.slice(0, count), [rows, count])
  const hidden = rows.length - count
  if (hidden <= 0) return [shown, null]
  const more = (
    <p className="group">
      <button type="button" className="btn link" onClick={() => setMost(count + STEP)}>
        Show {Math.min(STEP, hidden)} of {hidden} more
      </button>
    </p>
  )
  return [shown, more]
}
