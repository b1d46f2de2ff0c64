// The face of agents: what routes and reconcilers may do with them.
import type { Actor } from '../../platform/actor.ts'
import { write } from '../../platform/database.ts'
import { conflict, invalid } from '../../platform/problem.ts'
import type { AgentRecord, AgentSpec } from '../../schemas/agent.ts'
import { canonicalPolicy } from '../../schemas/tool-policy.ts'
import { checkDirectory, checkPolicy, checkSpec, mergePatch } from './agent-input.ts'
import { announceAgent } from './announce.ts'
import type { ApprovalBook } from './approvals.ts'
import { changedFields, record } from './audit.ts'
import { ask } from './connection.ts'
import type { Context } from './context.ts'
import { costReason, pump } from './conversation.ts'
import type { Core } from './core.ts'
import type { Desk } from './desk.ts'
import type { InspectedAgent, Agents } from './face.ts'
import { awaitsVerdict } from './guard.ts'
import type { Lifecycle } from './lifecycle.ts'
import { addPrompt, countQueued } from './prompts.ts'
import { isConnected, type Seat } from './seats.ts'
import { inTalk } from './stall.ts'
import {
  findAgent,
  getAgent,
  listAgents,
  pendingRestart,
  sessionName,
  toRecord,
  updateAgent,
  type AgentRow,
} from './store.ts'
import type { Supervisor } from './supervisor.ts'
import { agentUsage } from './usage.ts'
import { describeWork } from './work.ts'

interface Parts {
  approvals: ApprovalBook
  lifecycle: Lifecycle
  supervisor: Supervisor
  context: Context
  desk: Desk
}

export function createAgents(core: Core, parts: Parts): Agents {
  const { lifecycle, context } = parts
  const recordOf = (agent: AgentRow): AgentRecord => toRecord(agent, core.seats.find(agent.id))
  const inspected = (agent: AgentRow): InspectedAgent => {
    const seat = core.seats.find(agent.id)
    const record = toRecord(agent, seat)
    return {
      record,
      spec: agent.spec,
      awaitsProof: seat !== undefined && record.connected && awaitsVerdict(seat, agent.spec, agent.spec.tool_policy),
    }
  }

  return {
    create: async (spec, by, id = core.ids()) =>
      core.seats.of(id).lifecycle.run(async () => {
        const present = await findAgent(core, id)
        if (present) return recordOf(present)
        await checkSpec(core, spec).catch((error: unknown) => {
          core.seats.remove(id)
          throw error
        })
        const agent = await lifecycle.create(id, spec, by)
        if (agent.status === 'failed') await parts.supervisor.keep(agent)
        return recordOf(agent)
      }),
    get: async (id) => recordOf(await getAgent(core, id)),
    list: async (filter) => (await listAgents(core, filter)).map(recordOf),
    spec: async (id) => (await getAgent(core, id)).spec,
    inspect: async (id) => inspected(await getAgent(core, id)),
    inspectAll: async () => (await listAgents(core)).map(inspected),
    patch: async (id, patch, by) => {
      const changed = await replaceSpec(core, parts, id, (present) => mergePatch(present, patch), by)
      return { ...recordOf(changed), requires_restart: pendingRestart(changed).length > 0 }
    },
    replace: async (id, spec, by) => recordOf(await replaceSpec(core, parts, id, () => spec, by)),
    ...lifecycleVerbs(core, parts, recordOf),
    message: (id, content, by) => sendMessage(core, parts, id, content, by),
    setPolicy: async (id, policy, by) => {
      checkPolicy(policy)
      const tool_policy = canonicalPolicy(policy, 'allow_all')
      const changed = await replaceSpec(core, parts, id, (present) => ({ ...present, tool_policy }), by, {
        check: false,
      })
      return changed.spec.tool_policy
    },
    addDirectory: async (id, path, by) => {
      await getAgent(core, id)
      await checkDirectory('path', path)
      return directories(
        await replaceSpec(
          core,
          parts,
          id,
          (present) => ({ ...present, additional_dirs: [...new Set([...present.additional_dirs, path])].sort() }),
          by,
          {
            check: false,
          },
        ),
      )
    },
    removeDirectory: async (id, path, by) =>
      directories(
        await replaceSpec(
          core,
          parts,
          id,
          (present) => ({
            ...present,
            additional_dirs: present.additional_dirs.filter((directory) => directory !== path),
          }),
          by,
          { check: false },
        ),
      ),
    clearContext: (id, by) => context.clear(id, by),
    interrupt: async (id, by) => {
      const seat = await reachable(core, id)
      core.log.info({ agent_id: id, actor: by.actor, request_id: by.requestId }, 'agent is interrupted')
      ask(core, seat, { subtype: 'interrupt' })
    },
    usage: async (id) => agentUsage(core.db, await getAgent(core, id)),
    logs: async (id, lines) => core.mux.capture(sessionName((await getAgent(core, id)).id), lines),
    work: async (id) => describeWork(core, await getAgent(core, id)),
  }
}

/** What starts and ends processes. */
function lifecycleVerbs(
  core: Core,
  { approvals, lifecycle, supervisor }: Parts,
  recordOf: (agent: AgentRow) => AgentRecord,
): Pick<Agents, 'terminate' | 'purge' | 'restart'> {
  /** Finds the agent, then works on it in its lane, on its latest state. */
  const inLane = async <T>(id: string, work: (agent: AgentRow) => Promise<T>): Promise<T> => {
    await getAgent(core, id)
    return core.seats.of(id).lifecycle.run(async () => work(await getAgent(core, id)))
  }
  return {
    terminate: (id, by) =>
      inLane(id, async (agent) => {
        supervisor.cancel(core.seats.of(id))
        const stopped = await lifecycle.end(agent, { status: 'stopped', error: null }, by)
        await approvals.abandon(id, 'the agent was terminated')
        await supervisor.keep(stopped, { forget: true })
        return recordOf(stopped)
      }),
    purge: (id, by) =>
      inLane(id, async (agent) => {
        supervisor.cancel(core.seats.of(id))
        await lifecycle.purge(agent, by)
      }),
    restart: (id, by) =>
      inLane(id, async (agent) => {
        const seat = core.seats.of(id)
        supervisor.cancel(seat)
        seat.failures = 0
        await checkSpec(core, agent.spec)
        const ended =
          agent.status === 'running' ? await lifecycle.end(agent, { status: 'stopped', error: null }, by) : agent
        const started = await lifecycle.relaunch(ended, by)
        if (started.status === 'failed') await supervisor.keep(started)
        return recordOf(started)
      }),
  }
}

/** Writes a changed config and who changed which of its members; nothing at all when nothing changed. */
async function replaceSpec(
  core: Core,
  { desk }: Parts,
  id: string,
  change: (present: AgentSpec) => AgentSpec,
  by: Actor,
  { check = true } = {},
): Promise<AgentRow> {
  const before = await getAgent(core, id)
  const wanted = change(before.spec)
  if (check && changedFields(before.spec, wanted).length > 0) await checkSpec(core, wanted)
  const changed = await write(core.db, async (transaction) => {
    // Read again: another change may have come in between.
    const present = await getAgent(core, id, transaction)
    const spec = change(present.spec)
    const fields = changedFields(present.spec, spec)
    if (fields.length === 0) return false
    await updateAgent(core, transaction, id, { name: spec.name, config: core.vault.stringify(spec) })
    await record(core, transaction, 'agents', id, fields, by)
    return true
  })
  const agent = await getAgent(core, id)
  if (!changed) return agent
  announceAgent(core, agent)
  const seat = core.seats.find(id)
  if (seat) desk.wake(seat)
  return agent
}

function directories(agent: AgentRow): { agent_id: string; additional_dirs: string[]; requires_restart: boolean } {
  return { agent_id: agent.id, additional_dirs: agent.spec.additional_dirs, requires_restart: true }
}

/** The seat of an agent that can be spoken to; 404, or 400 that says why not. */
async function reachable(core: Core, id: string): Promise<Seat> {
  const agent = await getAgent(core, id)
  if (agent.spec.interactive)
    throw invalid(`agent ${id} is interactive: attach to its session in place of sending messages`)
  if (agent.status !== 'running') throw invalid(`agent ${id} is ${agent.status}, not running: restart it first`)
  const seat = core.seats.of(id)
  if (!isConnected(seat)) throw invalid(`agent ${id} is not connected: wait until it is, or restart it`)
  return seat
}

async function sendMessage(
  core: Core,
  { desk }: Parts,
  id: string,
  content: string,
  by: Actor,
): Promise<{ status: 'sent' | 'queued'; agent_id: string }> {
  const seat = await reachable(core, id)
  return inTalk(seat, async () => {
    await reachable(core, id)
    const reason = await costReason(core, await getAgent(core, id))
    if (reason) throw conflict(`agent ${id} takes no more prompts: ${reason}`)
    const prompt = await write(core.db, (transaction) =>
      addPrompt(core, transaction, { agentId: id, kind: 'message', content, dispatchId: null, policy: null }),
    )
    core.log.info(
      { agent_id: id, actor: by.actor, request_id: by.requestId, waiting: await countQueued(core.db, id) },
      'message accepted',
    )
    // It is on record from here on: whatever keeps it from going now, it goes later.
    await pump(core, seat).catch(() => core.clock.after(1000, () => desk.wake(seat)))
    return { status: seat.inFlight?.prompt.id === prompt.id ? 'sent' : 'queued', agent_id: id }
  })
}
