import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Drift } from '../../schemas/resource.ts'
import type { Source } from '../../schemas/source.ts'
import type { WorkflowRecord } from '../../schemas/workflow.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'

const agent = (name: string) =>
  `name: ${name}\nruntime: scripted\nshell: bash\nworking_dir: ${stand.project}\npolicy: careful\n`

let stand: DaemonStand
const place = (path: string, text: string) => {
  const file = join(stand.home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const configure = (name: string) =>
  place('.config/svc/config.yaml', `sources:\n  - {name: ${name}, directory: ${join(stand.home, 'other')}}\n`)
const modeOf = async (name: string) => (await stand.agentNamed(name))?.config.tool_policy.mode
const sources = () => stand.get<Source[]>(`${stand.controller}/sources`)

beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('policies/careful.yml', 'name: careful\nmode: allow_all\n')
  configure('other')
  place('other/agents/one.yml', agent('one'))
  place('sent/agents/guest.yml', agent('guest'))
  await stand.startInside()
  await eventually(async () => (await modeOf('one')) === 'allow_all', 30_000)
  const applied = await stand.agent(['apply', join(stand.home, 'sent')])
  if (applied.code !== 0) throw new Error(applied.stdout + applied.stderr)
}, 60_000)
afterAll(() => stand.close())

test('applies a changed policy to agents of all other sources', async () => {
  const before = (await stand.agents()).map(({ id }) => id).sort()
  stand.write('policies/careful.yml', 'name: careful\nmode: deny_all\n')
  await eventually(async () => (await modeOf('one')) === 'deny_all' && (await modeOf('guest')) === 'deny_all')
  expect((await stand.agents()).map(({ id }) => id).sort()).toEqual(before)
  await eventually(async () => (await sources()).every(({ error }) => error === null))
}, 30_000)

test('applies a policy that changed while the daemon was down', async () => {
  await stand.stopBy('SIGTERM')
  stand.write('policies/careful.yml', 'name: careful\nmode: allow_list\ntools: [Read]\n')
  await stand.startInside()
  await eventually(
    async () => (await modeOf('one')) === 'allow_list' && (await modeOf('guest')) === 'allow_list',
    20_000,
  )
}, 60_000)

test('shows a renamed source with the command that adopts it', async () => {
  const { id } = await stand.agentNamed('one')
  await stand.stopBy('SIGTERM')
  configure('team')
  await stand.startInside()
  await eventually(async () => (await sources()).find(({ name }) => name === 'team')?.revision)
  const status = await stand.svc(['status', '--exit-code'])
  expect([status.code, status.stdout]).toEqual([1, expect.stringMatching(/orphaned.*svc sources adopt other --into/s)])
  const refused = await stand.svc(['source', 'release', 'team'])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is read from')])
  const adopted = await stand.svc(['source', 'adopt', 'other', '--into', 'team'])
  expect([adopted.code, adopted.stdout]).toEqual([0, expect.stringContaining('1 moved to team')])
  await eventually(async () => (await stand.svc(['status', '--exit-code'])).code === 0, 20_000)
  expect((await sources()).map(({ name, owned }) => `${name} ${owned}`)).toContain('team 1')
  expect((await stand.agentNamed('one')).id).toBe(id)
  const released = await stand.svc(['source', 'release', `apply:${join(stand.home, 'sent')}`])
  expect([released.code, released.stdout]).toEqual([0, expect.stringContaining('agents/guest')])
  expect(await stand.agentNamed('guest')).toMatchObject({ status: 'running' })
}, 60_000)

test('reports only manual changes as drift after pruning a referenced resource', async () => {
  const flow = (to: string) =>
    `name: flow\nagent: ${to}\nsource:\n  type: manual\nprompt_template: go\nenabled: false\n`
  const live = async () =>
    (await stand.get<WorkflowRecord[]>(`${stand.orchestrator}/workflows`)).find(({ name }) => name === 'flow')
  place('other/agents/two.yml', agent('two'))
  await eventually(() => stand.agentNamed('two'), 20_000)
  stand.write('workflows/flow.yml', flow('two'))
  const { id } = await eventually(live, 20_000)
  // In manual mode the live workflow keeps its reference to the pruned agent.
  stand.write('svc.yaml', 'sync: {mode: manual}\n')
  await eventually(async () => (await sources()).find(({ name }) => name === 'default')?.sync.mode === 'manual', 20_000)
  stand.write('workflows/flow.yml', flow('one'))
  rmSync(join(stand.home, 'other/agents/two.yml'))
  await eventually(async () => !(await stand.agentNamed('two')), 20_000)
  expect((await live())!.agent_id).not.toBe((await stand.agentNamed('one')).id)
  await request('PATCH', `${stand.orchestrator}/workflows/${id}`, { prompt_template: 'go now' })
  const drift = await eventually(async () => {
    const found = await stand.get<Drift[]>(`${stand.controller}/drift?open=true`)
    return found.length > 0 && found
  })
  expect(drift.map(({ name, path, actor }) => `${name} ${path} ${actor}`)).toEqual(['flow prompt_template tester'])
}, 60_000)

test('keeps a manually added participant when a commit adds another', async () => {
  const room = (...identifiers: string[]) =>
    `name: lobby\ntype: group\nparticipants:\n${identifiers.map((each) => `  - {identifier: ${each}, kind: human, role: admin}\n`).join('')}`
  const at = `${stand.urls.communicate}/rooms/lobby/participants`
  const present = async () => {
    const participants = await stand.get<{ identifier: string }[]>(at)
    return participants.map(({ identifier }) => identifier).sort()
  }
  const drift = async () => {
    const open = await stand.get<Drift[]>(`${stand.controller}/drift?open=true&kind=rooms`)
    return open.map(({ path, actor }) => `${path} ${actor}`)
  }
  place('other/rooms/lobby.yml', room('mira'))
  await eventually(async () => (await present().catch(() => [])).length === 1, 20_000)
  await stand.ask('POST', at, { identifier: 'guest', kind: 'human', role: 'member' }, { 'x-svc-actor': 'mira' })
  await eventually(async () => (await drift()).length === 1)
  place('other/rooms/lobby.yml', room('mira', 'noa'))
  await eventually(async () => (await present()).includes('noa'), 20_000)
  expect(await present()).toEqual(['guest', 'mira', 'noa'])
  expect(await drift()).toEqual(['participants[guest] mira'])
}, 60_000)
