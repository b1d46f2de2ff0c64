import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { noLog } from '../../../../platform/core/log/log.ts'
import {
  AgentSession,
  CONNECT_WITHIN_MS,
  type SilentAgent,
} from '../../../../services/orchestrator/session/agent-session.ts'
import type { Prompt } from '../../../../services/orchestrator/record/tables.ts'

function session(clock = new TestClock(), silent: SilentAgent[] = []) {
  const { signal } = new AbortController()
  return new AgentSession('agent', { clock, log: noLog, stopping: signal }, (agent) => silent.push(agent))
}
const prompt = (): Prompt => ({
  id: randomUUID(),
  agent_id: 'agent',
  kind: 'message',
  content: 'work',
  dispatch_id: null,
  policy: null,
  by_agent: false,
})
const known = { guarded: true, guardReason: null, clearsContext: true }

test('is busy from a prompt to its result', () => {
  const agent = session()
  const given = prompt()
  agent.beginTurn(given)
  expect([agent.busy, agent.prompt]).toEqual([true, given])
  agent.endTurn()
  expect([agent.busy, agent.prompt]).toEqual([false, null])
})

test('is busy while its agent reports work, with or without a prompt', () => {
  const agent = session()
  agent.reportWork(true)
  agent.beginTurn(prompt())
  agent.dropPrompt()
  expect(agent.activity).toBe('busy')
  agent.reportWork(false)
  expect(agent.activity).toBe('idle')
})

test('publishes an activity once', () => {
  const agent = session()
  expect(agent.showActivity()).toBe(false)
  agent.reportWork(true)
  expect([agent.showActivity(), agent.showActivity()]).toEqual([true, false])
})

test('reports a reason to hold prompts once, and again after a gap', () => {
  const agent = session()
  const news = ['dear', 'dear', 'unguarded', null, 'unguarded'].map((reason) => agent.holdPrompts(reason))
  expect(news).toEqual([true, false, true, false, true])
})

test('starts a new process without state of the previous one', () => {
  const clock = new TestClock()
  const agent = session(clock)
  agent.learnCapabilities(known)
  agent.adopt(5, prompt())
  agent.reportWork(true)
  agent.expectConnection()
  agent.reset(7)
  expect(agent.capabilities).toEqual({ guarded: null, guardReason: null, clearsContext: null })
  expect([agent.busy, agent.synced, agent.launchedAt, clock.pending]).toEqual([false, true, 7, 0])
})

test('sends nothing to an adopted process before it reports its state', () => {
  const agent = session()
  const given = prompt()
  agent.adopt(5, given)
  expect([agent.synced, agent.prompt, agent.sentBefore(1)]).toEqual([false, given, true])
  agent.confirmSync()
  expect(agent.synced).toBe(true)
})

test('replaces an earlier planned start and an earlier deadline', () => {
  const clock = new TestClock()
  const silent: SilentAgent[] = []
  const agent = session(clock, silent)
  const fired: string[] = []
  for (const word of ['first', 'second']) {
    agent.planRelaunch(clock.after(1000, () => fired.push(word)))
    agent.expectConnection({ adopted: word === 'second' })
  }
  clock.tick(CONNECT_WITHIN_MS)
  expect(fired).toEqual(['second'])
  expect(silent).toEqual([{ agentId: 'agent', adopted: true }])
})

test('counts failures until they are reset', () => {
  const agent = session()
  agent.recordFailure()
  agent.recordFailure()
  expect(agent.failures).toBe(2)
  agent.forgetFailures()
  expect(agent.failures).toBe(0)
})
