// What a policy would decide on recorded or written tool calls.
import { isAgent, type Actor } from '../../../platform/core/actor.ts'
import { forbidden, noSuch, Problem } from '../../../platform/core/problem.ts'
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import { eachOf, inPieces } from '../../../platform/async/time-slices.ts'
import { canonicalPolicy, type ToolPolicy } from '../../../schemas/tools/policy.ts'
import type { PolicyTest, PolicyTestReply, TestedCall } from '../../../schemas/tools/policy-test.ts'
import { PRESETS } from '../../../schemas/tools/presets/index.ts'
import type { Policies, PolicyTests as Face } from '../face.ts'
import { mainArgument } from '../policy/main-argument.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { ToolCallRow } from '../record/tables.ts'
import type { RecordWorld } from '../record/world.ts'
import { LARGEST_STORED, shortened, type RecordedCalls } from './recorded-calls.ts'
import { verdictBy, type Verdict } from './verdict.ts'
import type { Judging } from './world.ts'

interface Parts {
  judging: Judging
  calls: RecordedCalls
  policies: Pick<Policies, 'find' | 'list'>
}

const RETRY_SECS = 1

const NOT_JUDGED = {
  size: `not judged: its input has more than ${LARGEST_STORED} bytes and is not kept`,
  secret: 'not judged: it contained a secret, which is not kept',
} as const

export class PolicyTests implements Face {
  readonly #record: RecordWorld
  readonly #parts: Parts
  /** One at a time, because each holds up to 1,000 inputs in memory. */
  readonly #turns = new SerialQueue()
  /** Agents whose test is queued or running. */
  readonly #testing = new Set<string>()

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  async run(asked: PolicyTest, by: Actor): Promise<PolicyTestReply> {
    if (!isAgent(by)) return this.#test(asked)
    const agent = ownCallsOf(asked, by)
    if (this.#testing.has(agent)) {
      const detail = `a policy test of ${by.actor} is already running: wait for its answer`
      throw new Problem(429, detail, { code: 'limit-reached', retrySecs: RETRY_SECS })
    }
    this.#testing.add(agent)
    return this.#test({ ...asked, agent }).finally(() => this.#testing.delete(agent))
  }

  async #test(asked: PolicyTest): Promise<PolicyTestReply> {
    const { recorded, calls = [] } = asked
    const policy = asked.tool_policy ?? (await this.#policyNamed(asked.policy!))
    const agent = asked.agent === undefined ? null : await this.#record.agents.get(asked.agent)
    return this.#turns.run(async () => ({
      calls: recorded === undefined ? await this.#judge(calls, agent!, policy) : await this.#replay(asked, policy),
    }))
  }

  async #policyNamed(name: string): Promise<ToolPolicy> {
    const { policies } = this.#parts
    const found = (await policies.find(name))?.record ?? PRESETS.find((preset) => preset.name === name)
    if (found) return canonicalPolicy(found, found.mode)
    throw noSuch(
      'policy',
      name,
      [...(await policies.list()), ...PRESETS].map((each) => each.name),
    )
  }

  async #replay({ recorded, agent: agentId }: PolicyTest, policy: ToolPolicy): Promise<TestedCall[]> {
    const rows = await this.#parts.calls.newest(recorded!, agentId)
    const agents = new Map<string, AgentRow>()
    for (const id of new Set(rows.map((row) => row.agent_id))) {
      const agent = await this.#record.agents.find(id)
      if (agent) agents.set(id, agent)
    }
    const workflows = await this.#workflowsOf(rows)
    const tested: TestedCall[] = []
    const replay = (row: ToolCallRow) => {
      const agent = agents.get(row.agent_id)
      if (!agent) return
      const workflow = workflows.get(row.dispatch_id ?? '') ?? null
      tested.push({ ...this.#replayed(row, agent, policy), at: row.created_at, workflow })
    }
    await inPieces(eachOf(rows, replay))
    return tested
  }

  /** Names by dispatch. */
  async #workflowsOf(rows: readonly ToolCallRow[]): Promise<Map<string, string>> {
    const { db, tables } = this.#record
    const [dispatches, workflows] = [tables.dispatches.name, tables.workflows.name]
    const ids = [...new Set(rows.flatMap(({ dispatch_id: id }) => id ?? []))]
    const found: { id: string; name: string }[] = await db(dispatches)
      .join(workflows, `${workflows}.id`, `${dispatches}.workflow_id`)
      .whereIn(`${dispatches}.id`, ids)
      .select(`${dispatches}.id`, `${workflows}.name`)
    return new Map(found.map(({ id, name }) => [id, name]))
  }

  #replayed(row: ToolCallRow, agent: AgentRow, policy: ToolPolicy): Omit<TestedCall, 'at' | 'workflow'> {
    const { tool, decision: before } = row
    const call = { agent: agent.name, tool, input: this.#masked(agent, row.about), before }
    if (row.omitted !== null) return { ...call, after: null, reason: NOT_JUDGED[row.omitted] }
    const verdict = verdictBy([policy], this.#parts.judging, agent, { tool, input: JSON.parse(row.input!) })
    return { ...call, after: verdict.decision, reason: reasonOf(verdict) }
  }

  async #judge(calls: NonNullable<PolicyTest['calls']>, agent: AgentRow, policy: ToolPolicy): Promise<TestedCall[]> {
    const { judging } = this.#parts
    const tested: TestedCall[] = []
    const judge = (call: (typeof calls)[number]) => {
      const before = verdictBy([agent.spec.tool_policy], judging, agent, call).decision
      const verdict = verdictBy([policy], judging, agent, call)
      const input = this.#masked(agent, shortened(mainArgument(call.tool, call.input)))
      const said = { agent: agent.name, tool: call.tool, input, at: null, workflow: null, before }
      tested.push({ ...said, after: verdict.decision, reason: reasonOf(verdict) })
    }
    await inPieces(eachOf(calls, judge))
    return tested
  }

  #masked(agent: AgentRow, text: string): string {
    return this.#parts.judging.secrets.maskCut(agent, text)
  }
}

/** Returns the agent's id. Throws 403 for the calls of others, and for written ones: it could search for a way out. */
function ownCallsOf({ agent, calls }: PolicyTest, { actor, agent: own }: Actor): string {
  if (own !== undefined && calls === undefined && (agent === undefined || agent === own)) return own
  throw forbidden(
    `${actor} may test a policy with its own recorded calls only: send "recorded" without "agent", or have a person do it`,
    'agent-may-not',
  )
}

/** Null if it is allowed. */
function reasonOf({ decision, finding, message, mode }: Verdict): string | null {
  if (decision === 'allow') return null
  return finding ? `${finding.reason}: ${finding.part}` : decision === 'deny' ? message : `mode ${mode}`
}
