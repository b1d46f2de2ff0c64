import { createContext, useContext, useSyncExternalStore } from 'react'
import type { PageClock } from './page-clock.ts'

const ClockContext = createContext<PageClock | null>(null)
export const ClockProvider = ClockContext.Provider

export function useClock(): PageClock {
  const clock = useContext(ClockContext)
  if (clock === null) throw new Error('no ClockProvider above this component')
  return clock
}

/** Daemon time, rounded down to `step` milliseconds: the component renders once per step. */
export function useNow(step: number): number {
  const clock = useClock()
  const now = () => Math.floor(clock.now() / step) * step
  return useSyncExternalStore(clock.subscribe, now, now)
}

/** Time at which the clock was stopped, or null while it runs. */
export function useStoppedAt(): number | null {
  const clock = useClock()
  const stoppedAt = () => clock.stoppedAt
  return useSyncExternalStore(clock.subscribe, stoppedAt, stoppedAt)
}

/** A text or flag that depends on the time. Renders when it changes. */
export function useTimed<Value extends string | boolean>(value: (clock: PageClock) => Value): Value {
  const clock = useClock()
  const current = () => value(clock)
  return useSyncExternalStore(clock.subscribe, current, current)
}
