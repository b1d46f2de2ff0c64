import { expect, test } from 'vitest'
import { bounded } from '../../../platform/doctor/bounded.ts'
import { probeCheck } from '../../../platform/doctor/sandboxes.ts'
import { agentSandboxChecks, userChecks, webhookCheck } from '../../../schemas/agent/team-checks.ts'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { ok } from '../../../schemas/operations/gitops/doctor.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'

const about = { id: 'sandbox', title: 'sandbox', expected: 'a program starts' }
const agent = (name: string, sandbox: object | null, user: string | null = null, status = 'running') =>
  ({ name, status, sandbox, config: { user } }) as unknown as AgentRecord
const restart = (...words: string[]) => words.join(' ')

test('warns of an old bubblewrap and a failed probe', () => {
  expect(probeCheck(about, { ok: true, bwrap: '/usr/bin/bwrap', version: '0.7.0' })).toMatchObject({
    state: 'warning',
    seen: expect.stringContaining('older than 0.8'),
    next: 'upgrade bubblewrap',
  })
  expect(probeCheck(about, { ok: true, bwrap: '/usr/bin/bwrap', version: '0.8.0' })).toEqual({
    ...about,
    state: 'ok',
    seen: 'bubblewrap 0.8.0',
    next: null,
  })
  const failed = { ok: false, code: 'sandbox-refused', message: 'refused', hint: 'allow it' } as const
  expect(probeCheck(about, failed)).toMatchObject({
    state: 'warning',
    seen: 'refused (sandbox-refused)',
    next: 'allow it',
  })
})

test('names each agent without a sandbox, and the command that starts it again', () => {
  const older = { state: 'unknown', code: 'sandbox-older', reason: 'its process is older' }
  const off = { state: 'off', code: 'sandbox-off', reason: 'its manifest' }
  const failed = { state: 'failed', code: 'sandbox-refused', reason: 'refused' }
  const agents = [
    agent('a', older),
    agent('b', off),
    agent('c', failed, null, 'failed'),
    agent('d', { state: 'on', code: null }),
    agent('e', older, null, 'stopped'),
  ]
  expect(agentSandboxChecks(agents, restart)).toMatchObject([
    {
      id: 'sandbox/a',
      title: 'sandbox of a',
      state: 'warning',
      seen: 'none: its process is older',
      next: 'repair the cause, then run "agent orchestrator restart-agent a"',
    },
    { id: 'sandbox/b', state: 'ok', seen: 'off: its manifest', next: null },
    { id: 'sandbox/c', state: 'warning', seen: 'not started: refused' },
  ])
})

test('names the agents that run as root', () => {
  expect(userChecks([agent('a', null), agent('b', null, 'dev'), agent('c', null)])).toEqual([
    {
      id: 'agent-users',
      title: 'OS user of agents',
      expected: 'a user other than root',
      state: 'warning',
      seen: 'the daemon runs as root, and so do a, c',
      next: 'write user: in their manifests, or run the daemon as an ordinary user',
    },
  ])
  expect(userChecks([agent('b', null, 'dev')])).toEqual([])
})

test('names workflows whose deliveries need no secret, and the setting', () => {
  const workflow = (name: string, enabled: boolean, secret?: string) =>
    ({ name, enabled, trigger_config: { type: 'webhook', ...(secret ? { secret } : {}) } }) as unknown as WorkflowRecord
  const workflows = [workflow('open', true), workflow('paused', false), workflow('signed', true, '***')]
  expect(webhookCheck(workflows, false)).toMatchObject({
    state: 'warning',
    seen: 'deliveries are refused, because these workflows have no webhook secret: open',
    next: expect.stringContaining('SVC_OPEN_WEBHOOKS=on'),
  })
  expect(webhookCheck(workflows, true)).toMatchObject({
    seen: expect.stringMatching(/^every caller can create tasks/),
    next: expect.stringContaining('SVC_OPEN_WEBHOOKS=off'),
  })
  expect(webhookCheck(workflows.slice(1), true)).toMatchObject({ state: 'ok', next: null })
})

test('does not know the state of a check that fails or does not end', async () => {
  const never = new Promise<never>(() => undefined)
  expect(await bounded(about, () => never, 1)).toEqual({
    ...about,
    state: 'unknown',
    seen: 'no answer within 0.001 s',
    next: 'check the log of the daemon and the load of the machine, then check again',
  })
  const broken = async () => {
    throw new Error('no such device')
  }
  expect(await bounded(about, broken)).toMatchObject({ state: 'unknown', seen: 'no such device' })
  expect(await bounded(about, async () => ok(about, 'seen'))).toMatchObject({ state: 'ok' })
})
