import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { Static } from 'typebox'
import type { Participant } from '../../schemas/communicate/room.ts'
import type { RepositoryList as ListSchema } from '../../schemas/code-index/repository.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { ask } from '../support/http.ts'
import { root } from '../support/root.ts'

type RepositoryList = Static<typeof ListSchema>

let stage: DaemonStand
let team: string
beforeAll(async () => {
  // A fake CLI that answers the bridge like the real one.
  stage = await DaemonStand.create({
    manifests: join(root, 'manifests'),
    env: { SVC_AGENT_COMMAND: join(root, 'test', 'bridge', 'fixtures', 'claude.mjs') },
  })
  for (const folder of ['samples', 'design'])
    cpSync(join(root, 'test', 'fixtures', folder), join(stage.project, folder), { recursive: true })
  team = join(stage.project, 'samples', 'delivery-team')
  await stage.startInside()
})
afterAll(() => stage.close())

const names = async (what: string) =>
  (await stage.get<{ name: string }[]>(`${stage.orchestrator}/${what}`)).map((each) => each.name).sort()

test('applies resources of all kinds alongside the demo', { timeout: 60_000 }, async () => {
  const applied = await stage.agent(['apply', team])
  expect(applied.code, applied.stderr + applied.stdout).toBe(0)
  const { repositories } = await eventually(async () => {
    const found = await stage.get<RepositoryList>(`${stage.urls.index!}/repositories`)
    return found.repositories.every(({ status }) => status === 'ready') && found
  })
  expect(repositories).toMatchObject([
    { name: 'delivery-team', path: stage.project, languages: ['javascript', 'typescript'] },
    { name: 'manifests', languages: ['yaml'] },
  ])
  const communicate = stage.urls.communicate!
  const inRoom = async (name: string) =>
    (await stage.get<Participant[]>(`${communicate}/rooms/${name}/participants`)).map(
      ({ display_name, role }) => `${display_name} ${role}`,
    )
  expect(await stage.get(`${communicate}/rooms/operations`)).toMatchObject({ room_type: 'broadcast' })
  expect(await inRoom('engineering')).toContain('Mira admin')
  expect(await inRoom('operations')).toContain('mira admin')
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
})

test('reports a removed participant as drift and restores it on apply', { timeout: 60_000 }, async () => {
  expect((await stage.agent(['apply', team])).code).toBe(0)
  const at = `${stage.urls.communicate!}/rooms/engineering/participants/mira`
  await ask('DELETE', at, undefined, { 'x-svc-actor': 'operator' })
  const drift = await eventually(async () => {
    const open = await stage.get<Record<string, unknown>[]>(`${stage.controller}/drift?open=true`)
    return open.find(({ kind, name }) => kind === 'rooms' && name === 'engineering')
  })
  expect(drift).toMatchObject({ path: 'participants[mira]', live: null, actor: 'operator' })
  expect((await stage.agent(['apply', team])).code).toBe(0)
  expect(await stage.get(at)).toMatchObject({ role: 'admin', display_name: 'Mira' })
})

test('reports a changed repository as drift and restores it on apply', async () => {
  expect((await stage.agent(['apply', team])).code).toBe(0)
  const at = `${stage.urls.index!}/repositories`
  const { repositories } = await stage.get<RepositoryList>(at)
  const before = repositories.find(({ name }) => name === 'delivery-team')
  await ask('PATCH', `${at}/${before!.id}`, { ignore: [] }, { 'x-svc-actor': 'operator' })
  const drift = await eventually(async () => {
    const open = await stage.get<Record<string, unknown>[]>(`${stage.controller}/drift?open=true`)
    return open.find(({ kind, name }) => kind === 'repositories' && name === 'delivery-team')
  })
  expect(drift).toMatchObject({ path: 'ignore', live: [], actor: 'operator' })
  expect((await stage.agent(['apply', team])).code).toBe(0)
  expect(await stage.get(`${at}/${before!.id}`)).toMatchObject({ ignore: before!.ignore })
  const { conditions } = await eventually(async () => {
    const view = await stage.get<{ conditions: { type: string; status: string; message: string }[] }>(
      `${stage.controller}/resources/repositories/delivery-team`,
    )
    return view.conditions.some(({ type, status }) => type === 'Ready' && status === 'True') && view
  })
  expect(conditions.find(({ type }) => type === 'Ready')!.message).toMatch(/^indexed: \d+ files/)
}, 60_000)
