import { useEffect, useRef, useState } from 'react'
import { useLostAt } from '../live/use-live.ts'
import { DecisionGate } from '../parts/keys/decision-gate.ts'
import { useCaller } from './caller.tsx'
import { canAct, type Guard } from './permissions.ts'

/**
 * True once the request on screen may be decided: 400 ms after it was shown. Use it where the request is shown, with
 * an id that names all that is decided; null while nothing is shown.
 */
export function useAwake(id: string | null): boolean {
  const gate = useRef(new DecisionGate())
  const [, wake] = useState(0)
  useEffect(() => {
    const now = performance.now()
    if (id === null) return gate.current.clear(now)
    gate.current.show(id, now)
    const timer = setTimeout(() => wake((count) => count + 1), gate.current.sleepLeft(now))
    return () => clearTimeout(timer)
  }, [id])
  return id !== null && gate.current.isAwake(id, performance.now())
}

/** True if the caller has the permission and the connection is live. */
export function useMayAct(guard: Guard): boolean {
  const isLost = useLostAt() !== null
  return canAct(useCaller(), guard, isLost)
}
