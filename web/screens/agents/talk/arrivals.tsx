import { useEffect, useRef, useState } from 'react'
import { countText } from './composer-hint.ts'

/** Arrivals within this time are announced together, in milliseconds. */
const JOINED_MS = 5000

/** Announces new entries. The list itself is silent, because scrolling changes it too. */
export function Arrivals({ entries }: { entries: readonly { id: string }[] }) {
  const [text, setText] = useState('')
  const latest = useRef(entries)
  const announced = useRef<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  latest.current = entries
  const last = entries.at(-1)?.id ?? null
  useEffect(() => {
    if (announced.current === null) announced.current = last
    if (timer.current !== null || last === announced.current) return
    timer.current = setTimeout(() => {
      timer.current = null
      const index = latest.current.findIndex(({ id }) => id === announced.current)
      announced.current = latest.current.at(-1)?.id ?? null
      if (index !== -1) setText(countText(latest.current.length - 1 - index, 'new entry', 'new entries'))
    }, JOINED_MS)
  }, [last])
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  return (
    <p className="hide" role="status">
      {text}
    </p>
  )
}
