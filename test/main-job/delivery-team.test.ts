// A real team of manifests, written for more kinds than stand now.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { root } from '../support/root.ts'

let stage: DaemonStand
let team: string
beforeEach(async () => {
  // A stand-in for the real CLI, which answers the questions of the bridge as that does.
  stage = await DaemonStand.create({
    manifests: join(root, 'manifests'),
    env: { SVC_AGENT_COMMAND: join(root, 'test', 'bridge', 'fixtures', 'claude.mjs') },
  })
  for (const folder of ['samples', 'design'])
    cpSync(join(root, 'test', 'fixtures', folder), join(stage.project, folder), { recursive: true })
  team = join(stage.project, 'samples', 'delivery-team')
  await stage.start()
})
afterEach(() => stage.close())

const names = async (what: string) =>
  (await stage.get<{ name: string }[]>(`${stage.orchestrator}/${what}`)).map((each) => each.name).sort()

test(
  'applies agents, policies and workflows beside the demo, and names the kinds that are not available yet',
  { timeout: 60_000 },
  async () => {
    const applied = await stage.agent(['apply', team])
    expect(applied.code, applied.stderr + applied.stdout).toBe(0)
    const said = applied.stdout + applied.stderr
    for (const file of ['rooms/engineering.yml', 'rooms/operations.yml', 'repositories/self.yml'])
      expect(said).toMatch(new RegExp(`warning: ${file}:1:1: .*not available yet`))
    expect(await names('workflows')).toEqual([
      'build-queue',
      'deploy-hook',
      'hello',
      'nightly-review',
      'on-demand',
      'plan-issues',
      'review-chain',
    ])
    expect(await names('policies')).toEqual(['ask-a-person', 'ask-first', 'no-network', 'read-only', 'read-tools'])
    const agents = await eventually(async () => {
      const all = await stage.get<AgentRecord[]>(`${stage.orchestrator}/agents`)
      const ours = all.filter(({ name }) => ['planner', 'reviewer', 'worker'].includes(name))
      return ours.length === 3 && ours.every(({ status, connected }) => status === 'running' && connected) && ours
    })
    expect(agents.map(({ config }) => config.runtime)).toEqual(['claude-code', 'claude-code', 'claude-code'])
    const again = await stage.svc(['reconcile', team, '--dry-run', '--detailed-exitcode'])
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/no changes/i)])
  },
)

test('with --strict the kinds that are not available yet are errors', { timeout: 60_000 }, async () => {
  expect(await stage.agent(['apply', team, '--strict'])).toMatchObject({ code: 1 })
  const strict = await stage.svc(['reconcile', team, '--strict', '--exit-codes=extended'])
  expect([strict.code, strict.stdout + strict.stderr]).toEqual([
    13,
    expect.stringMatching(/error: rooms\/engineering\.yml:1:1: .*not available yet/),
  ])
})
