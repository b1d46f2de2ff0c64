import { COST_A_START, idOf, type Id } from '../desired.ts'
import { keyOf } from '../memory.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Law, Situation, Violation } from './situation.ts'

export const processesMatchRecords: Law = ({ now }) => {
  const onRecord = now.live.filter(({ agent }) => agent?.status === 'running')
  const sessions = onRecord.map(({ agent }) => agent!.mux_session)
  const found: Violation[] = []
  for (const { name, agent } of onRecord)
    if (!now.panes[agent!.mux_session])
      found.push({
        law: 'processes match records',
        what: 'no session',
        detail: `agents/${name}: ${agent!.mux_session}`,
      })
  for (const session of Object.keys(now.panes))
    if (!sessions.includes(session))
      found.push({ law: 'processes match records', what: 'orphan session', detail: session })
  for (const { pid, agentId } of now.processes)
    if (now.panes[`svc-orch-${agentId}`] !== pid)
      found.push({ law: 'processes match records', what: 'orphan process', detail: `${pid} of agent ${agentId}` })
  for (const { name, agent } of onRecord)
    if (!agent!.connected)
      found.push({ law: 'processes match records', what: 'not connected', detail: `agents/${name}` })
  return found
}

function agentsInBoth(
  situation: Situation,
): { id: Id; liveId: string; was: string | undefined; is: string | undefined }[] {
  const { before, now } = situation
  if (!before) return []
  const processOf = (snapshot: Snapshot, liveId: string) => snapshot.panes[`svc-orch-${liveId}`]
  return now.live.flatMap(({ kind, name, liveId }) =>
    kind === 'agents' && before.live.some((other) => other.liveId === liveId)
      ? [{ id: `agents/${name}` as Id, liveId, was: processOf(before, liveId), is: processOf(now, liveId) }]
      : [],
  )
}

/** Valid reasons: a changed field, reverted drift or a manual action. */
export const restartsHaveAReason: Law = (situation) =>
  agentsInBoth(situation)
    .filter(({ id, was, is }) => was !== undefined && was !== is && !mayStart(situation, id))
    .map(({ id, was, is }) => ({
      law: 'restarts have a reason',
      what: situation.memory.notes.remade.has(id) ? 'moved between sources' : 'agents',
      detail: `${id}: process ${was} before, ${is} now`,
    }))

function mayStart(situation: Situation, id: Id): boolean {
  const { notes, desired } = situation.memory
  const declared = desired.get(id)
  const drifted =
    notes.hands.some((hand) => hand.id === id) ||
    situation.before?.drift.some((each) => `${each.kind}/${each.name}` === id && each.resolution === null)
  return (
    notes.started.has(id) ||
    COST_A_START.some((member) => notes.moved.has(keyOf(id, member))) ||
    (drifted === true && (situation.wasAsked(id) || !declared || situation.heals(declared))) ||
    (notes.rules.size > 0 && drifted === true) ||
    (declared !== undefined && situation.isManual(declared)) ||
    wasWaiting(situation, id) ||
    wasUnowned(situation, id)
  )
}

/** Adoption may restart an agent. */
const wasUnowned = ({ before, now }: Situation, id: Id): boolean =>
  !before?.inventory.some((entry) => entry.id === id) && now.inventory.some((entry) => entry.id === id)

function wasWaiting({ before }: Situation, id: Id): boolean {
  return Object.values(before?.plans ?? {}).some(({ steps }) =>
    steps.some((step) => `${step.kind}/${step.name}` === id),
  )
}

export const movesKeepTheId: Law = (situation) =>
  situation.declared.flatMap((declared): Violation[] => {
    const id = idOf(declared)
    const [was, is] = [situation.before?.inventory.find((entry) => entry.id === id), situation.entry(id)]
    if (!was?.live_id || !is?.live_id || was.live_id === is.live_id || was.source === is.source) return []
    if (!situation.isExact(declared) || situation.memory.notes.hands.some((hand) => hand.id === id)) return []
    return [
      { law: 'moves keep the live id', what: declared.kind, detail: `${id}: ${was.live_id} before, ${is.live_id} now` },
    ]
  })

/** Ignores agents whose process was ended manually. */
export const promptsComplete: Law = (situation) => {
  const { prompts, started } = situation.memory.notes
  return [...prompts].flatMap(([liveId, { before, accepted }]): Violation[] => {
    const agent = situation.now.live.find((each) => each.liveId === liveId)
    if (!agent?.agent || started.has(`agents/${agent.name}`) || agent.agent.status !== 'running') return []
    const ended = (situation.now.turns[liveId] ?? 0) - before
    if (ended >= accepted) return []
    return [
      {
        law: 'prompts complete',
        what: 'agents',
        detail: `agents/${agent.name}: ${ended} of ${accepted} prompts ended`,
      },
    ]
  })
}
