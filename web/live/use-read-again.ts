import { useEffect, useRef } from 'react'
import { useLostAt } from './use-live.ts'

/**
 * Reads records without a live topic again when `mark` changes, which stands for their state, and when a lost connection
 * is back.
 */
export function useReadAgain(mark: string, read: () => unknown): void {
  const isLost = useLostAt() !== null
  const state = `${mark} ${isLost}`
  const seen = useRef(state)
  useEffect(() => {
    const isSame = seen.current === state
    seen.current = state
    if (!isSame && !isLost) read()
  }, [state])
}
