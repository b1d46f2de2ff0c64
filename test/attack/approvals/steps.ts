import { expect } from 'vitest'
import type { Approval } from '../../../schemas/tools/approval.ts'
import { alice } from '../../services/orchestrator/harness.ts'
import { POLICIES, refused, type Ask, type Input } from './model.ts'
import type { Played } from './stand.ts'

type Numbers = () => number
type Step = (agent: Played, next: Numbers) => Promise<unknown>

const IDS = ['req-1', 'req-2', 'req-3']
const TOOLS = ['Bash', 'Bash', 'Write']
/** The last two differ only in the order of keys. */
const INPUTS: Input[] = [{ command: 'rm all' }, { command: 'make', a: 1 }, { a: 1, command: 'make' }]
const UPDATES: Input[] = [{ command: 'make -n' }, { command: 'rm more' }]

const pick = <T>(from: readonly T[], next: Numbers): T => from[Math.floor(next() * from.length)]!

const anyAsk = (next: Numbers): Ask => ({
  requestId: pick(IDS, next),
  tool: pick(TOOLS, next),
  input: pick(INPUTS, next),
})

/** Picks a pending approval most of the time. */
async function withApproval(agent: Played, next: Numbers, work: (approval: Approval) => Promise<unknown>) {
  const all = await agent.approvals()
  const waiting = all.filter(({ status }) => status === 'pending')
  const from = waiting.length > 0 && next() < 0.85 ? waiting : all
  if (from.length > 0) await work(pick(from, next))
}

const approve =
  (decide: (next: Numbers) => Parameters<Played['approve']>[1]): Step =>
  (agent, next) =>
    withApproval(agent, next, (approval) => agent.approve(approval, decide(next)))

const approveOnce = approve(() => ({}))
const deny: Step = (agent, next) => withApproval(agent, next, (approval) => agent.deny(approval, {}))
const setPolicy: Step = (agent, next) => agent.setPolicy(next() < 0.4 ? POLICIES[0]! : pick(POLICIES, next))

/** An allow that the agent gets afterwards needs another grant. */
async function withdrawFrom(agent: Played, { id, request_id }: Approval): Promise<void> {
  agent.history.push(`withdraw the decision on ${request_id}`)
  const code = await refused(agent.daemon.orchestrator.approvals.withdraw(id, alice))
  if (code !== null) return expect(['delivered', 'not-decided']).toContain(code)
  const at = agent.grants.findIndex(({ approvalId }) => approvalId === id)
  if (at >= 0) agent.grants.splice(at, 1)
  await agent.settled()
}

const approveAndWithdraw: Step = (agent, next) =>
  withApproval(agent, next, async (approval) => {
    await agent.approve(approval, next() < 0.5 ? {} : { scope: 'session' })
    await withdrawFrom(agent, approval)
  })

/** Decisions while the agent is not connected. */
const decideSome: Step = (agent, next) =>
  pick([approveOnce, approveOnce, deny, setPolicy, approveAndWithdraw], next)(agent, next)

const approveDuring =
  (other: (agent: Played, next: Numbers, call: () => Promise<unknown>) => Promise<unknown>): Step =>
  (agent, next) =>
    withApproval(agent, next, (approval) => other(agent, next, () => agent.tryApprove(approval, {})))

const whilePolicyChanges: Step = approveDuring((agent, next, call) => {
  const policy = pick(POLICIES, next)
  const set = () => agent.daemon.orchestrator.agents.setPolicy(agent.id, policy, alice)
  return agent.atOnce(`policy ${JSON.stringify(policy)}`, next() < 0.5 ? [call, set] : [set, call], { policy })
})

const decidedTwice: Step = (agent, next) =>
  withApproval(agent, next, (approval) => {
    const no = () => refused(agent.daemon.orchestrator.approvals.deny(approval.id, {}, alice))
    return agent.atOnce('approve and deny', [() => agent.tryApprove(approval, {}), no], {})
  })

const STEPS: readonly [name: string, weight: number, step: Step][] = [
  ['ask', 30, (agent, next) => agent.ask(anyAsk(next))],
  ['repeat a request', 8, async (agent, next) => agent.everAsked()[0] && agent.ask(pick(agent.everAsked(), next))],
  ['approve', 14, approveOnce],
  ['approve for the session', 4, approve(() => ({ scope: 'session' }))],
  ['approve another input', 4, approve((next) => ({ updated_input: pick(UPDATES, next) }))],
  ['deny', 5, deny],
  ['withdraw a decision', 4, (agent, next) => withApproval(agent, next, (each) => withdrawFrom(agent, each))],
  ['policy', 12, setPolicy],
  ['withdraw', 2, async (agent, next) => agent.open[0] && agent.cancel(pick(agent.open, next))],
  ['clear', 4, (agent) => agent.clear()],
  ['restart', 3, (agent) => agent.restart(false)],
  ['terminate', 2, (agent) => agent.restart(true)],
  ['crash and resume', 5, (agent, next) => agent.crash(true, () => maybe(agent, next))],
  ['crash and begin another conversation', 1, (agent, next) => agent.crash(false, () => maybe(agent, next))],
  ['reconnect', 6, (agent, next) => agent.reconnect(() => maybe(agent, next))],
  ['kill the daemon', 3, (agent) => agent.killDaemon()],
  ['approve while the policy changes', 4, whilePolicyChanges],
  ['approve and deny concurrently', 2, decidedTwice],
  ['approve while the context clears', 2, approveDuring((agent, _, call) => agent.clearDuring(call))],
  ['approve while the agent restarts', 2, approveDuring((agent, _, call) => agent.restartDuring(call))],
]

async function maybe(agent: Played, next: Numbers): Promise<void> {
  if (next() < 0.7) await decideSome(agent, next)
}

export const STEP_NAMES = STEPS.map(([name]) => name)

export async function takeStep(agent: Played, next: Numbers): Promise<string> {
  const total = STEPS.reduce((sum, [, weight]) => sum + weight, 0)
  let left = next() * total
  const [name, , step] = STEPS.find(([, weight]) => (left -= weight) < 0) ?? STEPS[0]!
  await step(agent, next)
  return name
}
