// The work an agent has in hand, in words: what a plan says a restart would interrupt.
import type { Core } from './core.ts'
import { countQueued } from './prompts.ts'
import { isBusy } from './seats.ts'
import type { AgentRow } from './store.ts'

/** `dispatch 1f3c of workflow build, since 2 min`; null when idle. */
export async function describeWork(core: Core, agent: AgentRow): Promise<string | null> {
  const seat = core.seats.find(agent.id)
  if (!seat || agent.status !== 'running') return null
  const waiting = await countQueued(core.db, agent.id)
  const behind = waiting > 0 ? `, ${waiting} waiting` : ''
  if (!isBusy(seat)) return waiting > 0 ? `${waiting} waiting prompt${waiting === 1 ? '' : 's'}` : null
  const prompt = seat.inFlight?.prompt
  if (!prompt) return `a turn of its own${behind}`
  const row = await core.db('orchestrator_prompts').where({ id: prompt.id }).first('sent_at')
  const since = row?.sent_at ? `, since ${duration(core.clock.now() - Date.parse(row.sent_at))}` : ''
  if (prompt.dispatchId === null)
    return `${prompt.kind === 'message' ? 'a message' : prompt.kind === 'initial' ? 'its initial prompt' : 'a context clear'}${since}${behind}`
  const source = await core
    .db('orchestrator_dispatches')
    .leftJoin('orchestrator_workflows', 'orchestrator_workflows.id', 'orchestrator_dispatches.workflow_id')
    .where('orchestrator_dispatches.id', prompt.dispatchId)
    .first('orchestrator_workflows.name')
  return `dispatch ${prompt.dispatchId.slice(0, 4)} of workflow ${source?.name ?? '(deleted)'}${since}${behind}`
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}
