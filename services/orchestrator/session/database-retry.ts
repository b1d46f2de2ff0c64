// What happens to an agent's frames while the database refuses writes: they are taken again until it takes them.
import { unexpected } from '../../../platform/async/unexpected-errors.ts'
import { storageProblem } from '../../../platform/database/database.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { SessionWorld } from './world.ts'
import type { AgentSession } from './agent-session.ts'

const RETRY_MS = 1000

/**
 * Runs `work` in the turn of the agent's frames, until the database takes it; a failure of another kind is logged.
 * Never rejects.
 */
export function takeInTurn(service: SessionWorld, session: AgentSession, work: () => Promise<unknown>): Promise<void> {
  return session.frames
    .run(() => persistently(service, session, work))
    .catch((error: unknown) => {
      const facts = { agent_id: session.agentId }
      // What was foreseen has a status: the agent may have gone meanwhile.
      if (error instanceof Problem) service.log.error({ ...facts, error: error.message }, 'a frame could not be taken')
      else unexpected(service.log, 'frame', error, facts)
    })
}

async function persistently(service: SessionWorld, session: AgentSession, work: () => Promise<unknown>): Promise<void> {
  try {
    for (;;) {
      try {
        await work()
        return
      } catch (error) {
        const reason = error instanceof Problem && error.status === 503 ? error : storageProblem(error)
        if (service.stopping.aborted || !reason) throw error
        service.log.error({ agent_id: session.agentId, error: reason.message }, 'a frame waits for the database')
        await session.frames.stall(reason, service.clock, RETRY_MS)
      }
    }
  } finally {
    session.frames.recovered()
  }
}
