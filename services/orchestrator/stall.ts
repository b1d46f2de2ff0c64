// What happens to an agent's frames and callers while the database refuses writes.
import { storageProblem } from '../../platform/database.ts'
import { Problem } from '../../platform/problem.ts'
import type { Core } from './core.ts'
import type { Seat } from './seats.ts'

const RETRY_MS = 1000

export interface Stall {
  reason: Error
  /** Tries again at once. */
  retry(): void
}

/** Takes a frame until the database takes it, too; REST calls for this agent are refused meanwhile rather than kept waiting. */
export async function persistently(core: Core, seat: Seat, work: () => Promise<unknown>): Promise<void> {
  try {
    for (;;) {
      try {
        await work()
        return
      } catch (error) {
        const reason = error instanceof Problem && error.status === 503 ? error : storageProblem(error)
        if (core.stopping || !reason) throw error
        core.log.error({ agent_id: seat.agentId, error: reason.message }, 'a frame waits for the database')
        await stalled(core, seat, reason)
      }
    }
  } finally {
    seat.stall = null
  }
}

async function stalled(core: Core, seat: Seat, reason: Error): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = core.clock.after(RETRY_MS, resolve)
    seat.stall = {
      reason,
      retry: () => {
        timer.cancel()
        resolve()
      },
    }
    for (const refuse of seat.callers) refuse(reason)
  })
}

/** Runs a REST call in the agent's `talk` lane. Throws 503, and leaves the work undone, when the lane stalls before its turn. */
export async function inTalk<T>(seat: Seat, work: () => Promise<T>): Promise<T> {
  if (seat.stall) throw seat.stall.reason
  let refuse: (reason: Error) => void = () => undefined
  let refused: Error | null = null
  const refusal = new Promise<never>((_resolve, reject) => {
    refuse = (reason) => {
      refused = reason
      reject(reason)
    }
  })
  seat.callers.add(refuse)
  const done = seat.talk.run(async () => {
    seat.callers.delete(refuse)
    if (refused) throw refused
    return work()
  })
  done.catch(() => undefined)
  return Promise.race([done, refusal]).finally(() => seat.callers.delete(refuse))
}
