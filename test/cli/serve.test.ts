// From `npm start` to the last command, with real sessions.
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { root } from '../support/root.ts'

let stand: DaemonStand
beforeEach(async () => void (stand = await DaemonStand.create({ manifests: join(root, 'manifests') })))
afterEach(() => stand.close())

const summary = () => eventually(() => /agent send \w+ "hello" --wait/.test(stand.output), 60_000)

test('starts with a summary; another terminal plans, reverts and stops', { timeout: 120_000 }, async () => {
  const child = await stand.start(['scripts/start.mjs'])
  const ended = once(child, 'exit')
  await summary()
  expect(stand.output).toMatch(/svc \d+\.\d+\.\d+ started in [\d.]+ m?s\n/)
  expect(stand.output).toMatch(/created\n(?: {2}\d+ \w+ +\S.*\n){3}/)
  expect(stand.output).toMatch(
    /next, in another terminal\n {2}\.\/bin\/agent status\n {2}\.\/bin\/svc reconcile --dry-run\n {2}\.\/bin\/agent send \w+ "hello" --wait/,
  )

  const status = await stand.agent(['status', '--json'])
  const { agents } = JSON.parse(status.stdout) as {
    agents: { id: string; name: string; status: string; connected: boolean }[]
  }
  expect(agents.length).toBeGreaterThan(0)
  expect(agents.every((each) => each.status === 'running' && each.connected)).toBe(true)

  const plan = await stand.svc(['reconcile', '--dry-run', '--detailed-exitcode'])
  expect([plan.code, /no changes/i.test(plan.stdout)]).toEqual([0, true])

  const name = agents[0]!.name
  expect((await stand.agent(['orchestrator', 'set-policy', name, 'deny_all'])).code).toBe(0)
  await eventually(async () => (await stand.svc(['drift', `agents/${name}`])).stdout.includes('tester'))
  expect((await stand.svc(['drift', 'revert', `agents/${name}`])).code).toBe(0)
  await eventually(async () => (await stand.svc(['drift'])).stdout.includes('No drift.'))

  expect((await stand.svc(['down', '--agents'])).code).toBe(0)
  expect(await ended).toEqual([0, null])
})

test('refuses a second daemon; a doubled Ctrl-C stops the first cleanly', async () => {
  const child = await stand.start()
  await summary()
  const second = await stand.svc(['serve', '--manifests', stand.manifests])
  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(/error: [\s\S]*hint: .*svc down/)
  child.kill('SIGINT')
  expect(await stand.stopBy('SIGINT')).toBe(0)
  expect(stand.output).toMatch(
    /\nThe daemon has stopped; 3 agents keep running in tmux and reconnect to the next daemon \(npm start\)\.\nStop them too with: (tmux -L \S+) ls -F '#S' \| grep '\^svc-orch-' \| xargs -n 1 \1 kill-session -t\n/,
  )
  // One line per event.
  expect(stand.output).toMatch(/INFO: agent launched: \w+, launch 1\n/)
  expect(stand.output).not.toMatch(/[{}]"|":/)
}, 60_000)
