import type { Vault } from '../../../platform/secrets/vault.ts'
import { storable } from '../../../platform/store/columns.ts'
import type { Policies } from '../face.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { RecordWorld } from '../record/world.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { allowFrame, denyFrame, type Frame } from '../session/frame.ts'
import { findStanding, inputOf, type ToolRequest } from './approval-store.ts'
import type { ApprovalBook } from './approvals.ts'
import { denyMessages, type Decision } from '../policy/judge.ts'
import { requestFacts, type Declared } from './request-facts.ts'
import { verdictOn, type Verdict } from './verdict.ts'
import type { IssueLocks } from './issue-locks.ts'
import type { RecordedCalls } from './recorded-calls.ts'
import type { Judging } from './world.ts'

interface Parts {
  approvals: ApprovalBook
  calls: RecordedCalls
  locks: IssueLocks
  policies: Pick<Policies, 'list'>
  declared: Declared
  vault: Pick<Vault, 'fingerprint'>
}

export class ToolRequests {
  readonly #record: RecordWorld
  readonly #judging: Judging
  readonly #approvals: ApprovalBook
  readonly #calls: RecordedCalls
  readonly #locks: IssueLocks
  readonly #origins: Pick<Parts, 'policies' | 'declared' | 'vault'>

  constructor(record: RecordWorld, judging: Judging, { approvals, calls, locks, ...origins }: Parts) {
    this.#record = record
    this.#judging = judging
    this.#approvals = approvals
    this.#calls = calls
    this.#locks = locks
    this.#origins = origins
  }

  /** A repeated request gets the recorded answer if the policy still allows it. */
  async take(session: AgentSession, frame: Frame): Promise<void> {
    const { agents } = this.#record
    const request: ToolRequest = {
      requestId: storable(String(frame.request_id)),
      tool: storable(String(frame.request?.tool_name ?? '')),
      input: frame.request?.input,
      original: session.connection.masking.claim(frame),
    }
    session.connection.answered.delete(request.requestId)
    const asking = await agents.find(session.agentId)
    if (!asking) return
    const known = await this.#approvals.recall(asking, request)
    if (known) return this.#approvals.deliver(session, known)
    const locked = await this.#locks.denial(asking, { tool: toolOf(request), inputs: [inputOf(request)] })
    // Read again, to apply a policy that has changed.
    const agent = (await agents.find(session.agentId)) ?? asking
    const verdict = locked === null ? this.#judge(agent, request) : lockVerdict(locked)
    if (verdict.decision === 'ask') return this.#askPerson(session, agent, request)
    this.#calls.take(session, request, verdict.decision)
    this.#log(agent, request, verdict)
    answer(session, request, verdict.decision, verdict.message)
  }

  withdraw(session: AgentSession, frame: Frame): Promise<void> {
    return this.#approvals.cancel(session.agentId, storable(String(frame.request_id)))
  }

  /** `listed`: the open requests of the agent, all of which `take` has handled. */
  confirm(session: AgentSession, listed: readonly Frame[]): void {
    this.#approvals.confirm(session, new Set(listed.map((frame) => storable(String(frame.request_id)))))
  }

  async #askPerson(session: AgentSession, agent: AgentRow, request: ToolRequest): Promise<void> {
    const earlier = await this.#approvals.takeOver(agent, request)
    if (earlier) return this.#approvals.deliver(session, earlier)
    const standing = await findStanding(this.#record, agent, request.tool)
    // The policy overrides a person's decision.
    const now = (await this.#record.agents.find(agent.id)) ?? agent
    const verdict = this.#judge(now, request)
    this.#calls.take(session, request, verdict.decision)
    if (verdict.decision === 'deny') {
      this.#log(agent, request, verdict)
      return answer(session, request, 'deny', verdict.message)
    }
    if (!standing) return this.#hold(session, now, request, verdict)
    const decision = standing.status === 'approved' ? 'allow' : 'deny'
    this.#log(agent, request, { decision, mode: verdict.mode })
    const denial = denyMessages.person(request.tool, standing.decided_by ?? 'nobody', standing.reason)
    answer(session, request, decision, denial)
  }

  async #hold(session: AgentSession, agent: AgentRow, request: ToolRequest, verdict: Verdict): Promise<void> {
    const world = { record: this.#record, judging: this.#judging, ...this.#origins }
    const call = { tool: toolOf(request), request, prompt: session.prompt, said: session.said, verdict }
    const refusal = await this.#approvals.hold(agent, request, () => requestFacts(world, agent, call))
    if (refusal !== null) answer(session, request, 'deny', denyMessages.limit(request.tool, refusal))
  }

  /** Judges the unredacted request. */
  #judge(agent: AgentRow, request: ToolRequest): Verdict {
    return verdictOn(this.#judging, agent, toolOf(request), inputOf(request))
  }

  #log({ id }: AgentRow, { tool }: ToolRequest, { decision, mode }: Pick<Verdict, 'decision' | 'mode'>): void {
    this.#record.log.info({ agent_id: id, tool_name: tool, decision, policy_mode: mode }, 'tool decision')
  }
}

const lockVerdict = (message: string): Verdict => ({
  decision: 'deny',
  message,
  finding: null,
  mode: 'lock',
  policy: null,
})

/** Unredacted. */
const toolOf = ({ original, tool }: ToolRequest): string => (original === null ? tool : storable(String(original.tool)))

function answer(session: AgentSession, request: ToolRequest, decision: Decision, denial: string): void {
  const { requestId } = request
  const input = inputOf(request) ?? {}
  session.connection.send(decision === 'allow' ? allowFrame(requestId, input) : denyFrame(requestId, denial))
}
