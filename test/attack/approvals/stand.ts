// One agent on a real orchestrator, driven through any events between a request and its decision.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Approval, ApprovalDecision } from '../../../schemas/tools/approval.ts'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import { alice, type TestMachine, type TestOrchestrator } from '../../services/orchestrator/harness.ts'
import { eventually } from '../../support/eventually.ts'
import type { Frame, HandAgent } from '../../support/hand-agent.ts'
import { isFor, justification, refused, verdictOf, type Ask, type Grant, type Input, type Situation } from './model.ts'

type Decision = Pick<ApprovalDecision, 'scope' | 'updated_input'>

export class Played {
  readonly history: string[] = []
  readonly grants: Grant[] = []
  allows = 0
  denials = 0
  situation: Situation
  /** Possible situations during concurrent events; null otherwise. */
  #situations: Situation[] | null = null
  #hand: HandAgent
  #read = 0
  #crashes = 0
  #alive = true
  #conversation = 1
  /** Requests of the current process by id, and whether they were answered. */
  #asked = new Map<string, { ask: Ask; answered: boolean }>()
  readonly #bound = new Map<string, Pick<Situation, 'launch' | 'context'>>()
  readonly #machine: TestMachine
  readonly id: string
  daemon: TestOrchestrator

  static async create(machine: TestMachine, daemon: TestOrchestrator): Promise<Played> {
    const policy = { mode: 'require_approval' } as const
    const { id } = await daemon.create({ name: `played-${randomUUID()}`, tool_policy: policy, restart: 'on-failure' })
    const played = new Played(machine, daemon, id, await daemon.connect(id), policy)
    await played.#introduce()
    return played
  }

  private constructor(machine: TestMachine, daemon: TestOrchestrator, id: string, hand: HandAgent, policy: ToolPolicy) {
    this.#machine = machine
    this.daemon = daemon
    this.id = id
    this.#hand = hand
    this.situation = { policy, launch: 1, context: 1 }
  }

  get connected(): boolean {
    return this.#hand.socket.readyState === 1
  }

  get open(): Ask[] {
    return [...this.#asked.values()].filter(({ answered }) => !answered).map(({ ask }) => ask)
  }

  readonly everAsked = (): Ask[] => [...this.#asked.values()].map(({ ask }) => ask)

  async approvals(): Promise<Approval[]> {
    return (await this.daemon.orchestrator.approvals.list({ agentId: this.id })).items
  }

  /** Expects a justified answer or a pending approval. */
  async ask(ask: Ask): Promise<void> {
    this.history.push(`ask ${JSON.stringify(ask)}`)
    this.#asked.set(ask.requestId, { ask, answered: false })
    this.#hand.askTool(ask.tool, ask.input, ask.requestId)
    await this.settled()
    if (this.#asked.get(ask.requestId)!.answered) return
    expect(
      verdictOf(this.situation.policy, ask.tool, ask.input),
      'a request that the policy forbids is denied at once',
    ).not.toBe('deny')
    const held = (await this.approvals()).find((row) => row.status === 'pending' && isFor(row, ask))
    expect(held, 'an unanswered request has a pending approval').toBeDefined()
  }

  async setPolicy(policy: ToolPolicy): Promise<void> {
    this.history.push(`policy ${JSON.stringify(policy)}`)
    await this.daemon.orchestrator.agents.setPolicy(this.id, policy, alice)
    this.situation = { ...this.situation, policy }
  }

  /** Expects the result that the model predicts. */
  async approve(approval: Approval, decision: Decision): Promise<void> {
    const wanted = this.#expectedRefusal(approval, decision)
    const code = await this.tryApprove(approval, decision)
    expect(code, `approving ${approval.status} ${approval.request_id}`).toBe(wanted)
    await this.settled()
    if (code === null && this.connected)
      expect(
        this.#asked.get(approval.request_id)?.answered,
        'the agent receives the answer to an approved request',
      ).toBe(true)
  }

  /** Approves; returns the error code of a refusal. */
  async tryApprove(approval: Approval, decision: Decision): Promise<string | null> {
    this.history.push(`approve ${approval.request_id} ${approval.tool_name} ${JSON.stringify(decision)}`)
    const { launch, context } = this.#bound.get(approval.id) ?? this.situation
    const code = await refused(this.daemon.orchestrator.approvals.approve(approval.id, decision, alice))
    if (code !== null) return code
    const input = approval.tool_input as Input
    this.grants.push({
      approvalId: approval.id,
      requestId: approval.request_id,
      tool: approval.tool_name,
      input,
      runs: decision.updated_input ?? input,
      scope: decision.scope ?? 'once',
      launch,
      context,
      usedBy: null,
    })
    return null
  }

  async deny(approval: Approval, decision: Decision): Promise<void> {
    this.history.push(`deny ${approval.request_id}`)
    const code = await refused(this.daemon.orchestrator.approvals.deny(approval.id, decision, alice))
    expect(code).toBe(approval.status === 'pending' ? null : 'already-decided')
    await this.settled()
  }

  async cancel(ask: Ask): Promise<void> {
    this.history.push(`cancel ${ask.requestId}`)
    this.#hand.send({ type: 'control_cancel_request', request_id: ask.requestId })
    this.#asked.get(ask.requestId)!.answered = true
    await this.settled()
  }

  async clear(): Promise<void> {
    this.history.push('clear')
    await this.daemon.orchestrator.agents.clearContext(this.id, alice)
    await this.#cleared()
  }

  async clearDuring(call: () => Promise<unknown>): Promise<void> {
    const { context } = this.situation
    const clear = () => this.daemon.orchestrator.agents.clearContext(this.id, alice)
    await this.atOnce('clear', [call, clear], { context: context + 1 })
    this.situation = { ...this.situation, context }
    await this.#cleared()
  }

  async #cleared(): Promise<void> {
    this.situation = { ...this.situation, context: this.situation.context + 1 }
    this.#conversation++
    this.#hand.result()
    await eventually(async () => (await this.daemon.orchestrator.agents.get(this.id)).activity === 'idle')
    await this.#introduce()
  }

  async restart(terminateFirst: boolean): Promise<void> {
    this.history.push(terminateFirst ? 'terminate, restart' : 'restart')
    if (terminateFirst) await this.daemon.orchestrator.agents.terminate(this.id, alice)
    await this.daemon.orchestrator.agents.restart(this.id, alice)
    await this.#restarted()
  }

  async restartDuring(call: () => Promise<unknown>): Promise<void> {
    await this.atOnce('restart', [call, () => this.daemon.orchestrator.agents.restart(this.id, alice)], {})
    await this.#restarted()
  }

  /** A restart keeps the conversation and drops earlier decisions. */
  #restarted(): Promise<void> {
    this.#crashes = 0
    return this.#newProcess({ sameContext: false })
  }

  /** Kills the process; the next one resumes its conversation or begins another. */
  async crash(resumes: boolean, meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    this.history.push(`crash, ${resumes ? 'resume' : 'another conversation'}`)
    const { agents } = this.daemon.orchestrator
    const before = (await agents.get(this.id)).restarts
    await this.#machine.killAgent(this.id)
    this.#hand.socket.terminate()
    await eventually(async () => (await agents.get(this.id)).status === 'failed')
    this.#alive = false
    await meanwhile()
    this.#alive = true
    const wait = 1000 * 2 ** this.#crashes++
    await eventually(
      async () => {
        const { restarts, status } = await agents.get(this.id)
        if (restarts === before) this.daemon.tick(wait)
        return restarts > before && status === 'running'
      },
      20_000,
      100,
    )
    if (!resumes) this.#conversation++
    await this.#newProcess({ sameContext: resumes })
  }

  async reconnect(meanwhile: () => Promise<void>): Promise<void> {
    this.history.push('connection lost')
    this.#hand.socket.terminate()
    await eventually(async () => !(await this.daemon.orchestrator.agents.get(this.id)).connected)
    await meanwhile()
    await this.#redial()
  }

  async killDaemon(): Promise<void> {
    this.history.push('daemon killed')
    await this.daemon.crash()
    this.daemon = await this.#machine.open()
    await this.#redial()
  }

  /** During the calls, answers may be justified by the situation before or after. */
  async atOnce(what: string, calls: (() => Promise<unknown>)[], after: Partial<Situation>): Promise<void> {
    this.history.push(`at once: ${what}`)
    this.#situations = [this.situation, { ...this.situation, ...after }]
    await Promise.allSettled(calls.map((call) => call()))
    await this.settled()
    this.#situations = null
    this.situation = { ...this.situation, ...after }
  }

  /** Waits until all frames are processed, and checks every answer. */
  async settled(): Promise<void> {
    if (this.connected) {
      const barrier = `barrier-${randomUUID()}`
      this.#hand.send({ type: 'control_request', request_id: barrier, request: { subtype: 'no_such_question' } })
      await eventually(() => this.#hand.answers(barrier)[0])
    }
    for (; this.#read < this.#hand.received.length; this.#read++) this.#check(this.#hand.received[this.#read]!)
    await this.#bind()
  }

  /** Binds each open request to its approval: of this launch, or of an earlier one. */
  async #bind(): Promise<void> {
    const { launch, context } = this.situation
    const pending = (await this.approvals()).filter(({ status }) => status === 'pending')
    for (const ask of this.open) {
      const rows = pending.filter((row) => isFor(row, ask))
      const where = (row: Approval) => this.#bound.get(row.id)
      const row =
        rows.find((each) => where(each)?.launch === launch) ??
        rows.find((each) => where(each)?.context === context) ??
        rows.find((each) => where(each) === undefined)
      if (row) this.#bound.set(row.id, { launch, context })
    }
  }

  #check(frame: Frame): void {
    const { behavior, updatedInput } = (frame.response?.response ?? {}) as Frame
    if (frame.type !== 'control_response' || behavior === undefined) return
    const asked = this.#asked.get(frame.response.request_id)
    expect(asked, 'an answer belongs to a request of this process').toBeDefined()
    asked!.answered = true
    if (behavior !== 'allow') return void this.denials++
    this.allows++
    const why = justification(asked!.ask, updatedInput, this.#situations ?? [this.situation], this.grants)
    expect(why, `nothing allows ${JSON.stringify(asked!.ask)} to run ${JSON.stringify(updatedInput)}`).not.toBeNull()
    const { launch } = this.situation
    if (why !== 'policy' && why!.scope === 'once' && why!.launch < launch)
      why!.usedBy = `${launch} ${asked!.ask.requestId}`
  }

  #expectedRefusal({ id, status, tool_name, tool_input }: Approval, { updated_input }: Decision): string | null {
    if (status !== 'pending') return 'already-decided'
    const { launch, context } = this.#bound.get(id) ?? {}
    if (!this.#alive || launch !== this.situation.launch || context !== this.situation.context) return 'process-gone'
    const inputs = [tool_input as Input, (updated_input ?? tool_input) as Input]
    const forbidden = inputs.some((input) => verdictOf(this.situation.policy, tool_name, input) === 'deny')
    return forbidden ? 'policy-forbids' : null
  }

  async #newProcess({ sameContext }: { sameContext: boolean }): Promise<void> {
    const { launch, context } = this.situation
    this.situation = { ...this.situation, launch: launch + 1, context: sameContext ? context : context + 1 }
    this.#asked = new Map()
    this.#hand = await this.daemon.connect(this.id)
    this.#read = 0
    await this.#introduce()
  }

  /** The process repeats its unanswered requests. */
  async #redial(): Promise<void> {
    this.#hand = await this.daemon.connect(this.id)
    this.#read = 0
    for (const { requestId, tool, input } of this.open) this.#hand.askTool(tool, input, requestId)
    await this.settled()
  }

  /** Reports the conversation id, as the real program does at every turn. */
  async #introduce(): Promise<void> {
    const session_id = `conversation-${this.#conversation}`
    this.#hand.send({ type: 'system', subtype: 'init', session_id, uuid: randomUUID() })
    await this.settled()
  }
}
