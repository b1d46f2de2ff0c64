import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Participant } from '../../schemas/communicate/room.ts'
import type { WorkflowRecord } from '../../schemas/workflow.ts'
import { svc } from '../support/command.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { ask } from '../support/http.ts'
import { root } from '../support/root.ts'

const env = { CONDUCTOR_WEBHOOK_SECRET: 'secret-of-the-hook' }
const folders = readdirSync(join(root, 'examples'))

test.each(folders)('the folder %s is valid', async (name) => {
  const { code, stdout, stderr } = await svc(['validate', join(root, 'examples', name)], { env })
  expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('warning')])
})

describe('the conductor', () => {
  let stand: DaemonStand
  beforeAll(async () => {
    stand = await DaemonStand.create({ env })
    cpSync(join(root, 'examples', 'conductor'), stand.manifests, { recursive: true })
    const agent = join(stand.manifests, 'agents', 'conductor.yml')
    writeFileSync(agent, `${readFileSync(agent, 'utf8')}runtime: scripted\n`)
    await stand.startInside()
  })
  afterAll(() => stand.close())

  test('is applied in full, and the plan is empty after that', { timeout: 60_000 }, async () => {
    const { status, connected, config } = await eventually(async () => {
      const found = await stand.agentNamed('conductor')
      return found?.connected && found
    }, 30_000)
    expect([status, connected, config.may]).toEqual(['running', true, ['conductor']])
    const workflows = await stand.get<WorkflowRecord[]>(`${stand.orchestrator}/workflows`)
    expect(Object.fromEntries(workflows.map(({ name, enabled }) => [name, enabled]))).toEqual({
      'conductor-run': true,
      'conductor-merge-ready': true,
      'conductor-sync': true,
      'triage-enrich-chain': false,
      'review-merge-chain': false,
    })
    const scheduled = workflows.find(({ name }) => name === 'conductor-run')!
    expect(scheduled.trigger_config).toMatchObject({ type: 'cron', expression: '*/5 * * * *' })
    for (const room of ['engineering', 'operations']) {
      const participants = await stand.get<Participant[]>(`${stand.urls.communicate!}/rooms/${room}/participants`)
      expect(participants).toContainEqual(expect.objectContaining({ identifier: 'conductor', role: 'member' }))
    }
    await eventually(async () => {
      const { code } = await stand.svc(['reconcile', '--dry-run', '--detailed-exitcode'])
      return code === 0
    }, 30_000)
  })

  test.each([
    ['Bash', { command: 'agent conductor run -o json' }, 'allow'],
    ['Bash', { command: 'agent conductor mark 7 merge-ready --if-eligible' }, 'allow'],
    ['Bash', { command: 'agent communicate post operations "done"' }, 'allow'],
    ['Bash', { command: 'agent memory list --tag conductor' }, 'allow'],
    ['Read', { file_path: 'README.md' }, 'allow'],
    ['Bash', { command: 'gh pr merge 7' }, 'deny'],
    ['Bash', { command: 'git push' }, 'deny'],
    ['Bash', { command: 'agent conductor run > src/index.ts' }, 'deny'],
    ['Write', { file_path: 'src/index.ts', content: 'x' }, 'deny'],
    ['Edit', { file_path: 'docs/index.md', old_string: 'a', new_string: 'b' }, 'deny'],
  ])('its policy decides on %s %j: %s', async (tool, input, decision) => {
    const { id } = await stand.agentNamed('conductor')
    const body = { policy: 'conductor-tools', agent: id, calls: [{ tool, input }] }
    const reply = await ask<{ calls: { after: string }[] }>('POST', `${stand.orchestrator}/policies/test`, body)
    expect(reply.body.calls.map(({ after }) => after)).toEqual([decision])
  })
})
