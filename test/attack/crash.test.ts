import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { Approval } from '../../schemas/tools/approval.ts'
import type { Run } from '../../schemas/run.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { root } from '../support/root.ts'

let stage: DaemonStand
beforeEach(async () => {
  stage = await DaemonStand.create({ manifests: join(root, 'manifests') })
})
afterEach(() => stage.close())

const agents = () => stage.get<AgentRecord[]>(`${stage.orchestrator}/agents`)
const identities = async () => Object.fromEntries((await agents()).map(({ name, id }) => [name, id]))
const names = async (what: string) =>
  (await stage.get<{ name: string }[]>(`${stage.orchestrator}/${what}`)).map((each) => each.name)
const pending = () => stage.get<Approval[]>(`${stage.orchestrator}/approvals?status=pending`)

test('keeps agents, processes, messages and approvals after kills in any state', { timeout: 60_000 }, async () => {
  const file = join(stage.project, 'delivered')
  stage.write(
    'agents/writer.yml',
    'name: writer\nruntime: scripted\nworking_dir: .\nshell: bash\ntool_policy: {mode: allow_all}\n',
  )
  await stage.startReady()
  const [before, panes] = [await identities(), await stage.panes()]
  const approval = await eventually(async () => (await pending())[0])
  expect((await stage.send(before.writer!, 'SLOW 4000')).body.status).toBe('sent')
  await eventually(async () => (await stage.agentNamed('writer')).activity === 'busy')
  expect((await stage.send(before.writer!, `USE_TOOL Bash echo delivered >> ${file}`)).body.status).toBe('queued')

  await stage.stopBy('SIGKILL')
  expect(await stage.panes()).toEqual(panes)
  expect(existsSync(file)).toBe(false)
  await stage.startReady()
  expect(await identities()).toEqual(before)
  expect(await stage.panes()).toEqual(panes)

  expect((await pending()).map(({ id }) => id)).toEqual([approval.id])
  const frames = await stage.listen()
  expect((await stage.agent(['orchestrator', 'approve', approval.id])).code).toBe(0)
  await eventually(() =>
    frames.some((frame) => frame.agent_id === before.builder && frame.content === 'TOOL_OK: hello from the builder'),
  )
  await eventually(() => existsSync(file), 15_000)
  await eventually(async () => (await stage.agentNamed('writer')).activity === 'idle')
  expect(readFileSync(file, 'utf8')).toBe('delivered\n')

  await stage.stopBy('SIGKILL')
  await stage.startReady()
  expect(await identities()).toEqual(before)
  expect(await stage.panes()).toEqual(panes)
})

function writeThirty(): void {
  for (let i = 0; i < 13; i++) {
    stage.write(`policies/p${i}.yml`, `name: p${i}\nmode: allow_list\ntools: [Read]\n`)
    stage.write(
      `workflows/w${i}.yml`,
      `name: w${i}\nagent: a${i % 4}\ntrigger_config: {type: manual}\nprompt_template: "{{title}}"\n`,
    )
  }
  for (let i = 0; i < 4; i++)
    stage.write(`agents/a${i}.yml`, `name: a${i}\nruntime: scripted\nworking_dir: .\nshell: bash\npolicy: p${i}\n`)
}

test.each<[string, (run: Run) => boolean]>([
  ['as soon as a run is accepted', () => true],
  [
    'while an agent of the run is launched',
    ({ steps }) => steps.some((step) => step.kind === 'agents' && step.status === 'intended'),
  ],
  ['when half of the run is done', ({ steps }) => steps.filter((step) => step.status === 'done').length >= 15],
])('completes thirty changes once after being killed %s', { timeout: 60_000 }, async (_moment, reached) => {
  writeFileSync(join(stage.manifests, 'svc.yaml'), 'sync: {mode: manual}\n')
  await stage.start()
  expect((await stage.svc(['reconcile', '--wait', '--timeout', '30s'])).code).toBe(0)
  const [before, panes] = [await identities(), await stage.panes()]
  writeThirty()
  const { status, body } = await stage.ask<{ run_id: string }>('POST', `${stage.controller}/sources/default/sync`)
  expect(status).toBe(202)
  await eventually(async () => reached(await stage.get<Run>(`${stage.controller}/runs/${body.run_id}`)))
  await stage.stopBy('SIGKILL')

  writeFileSync(join(stage.manifests, 'svc.yaml'), 'sync: {mode: auto}\n')
  await stage.startReady()
  expect(await identities()).toMatchObject(before)
  expect(await stage.panes()).toMatchObject(panes)
  for (const [what, count] of [
    ['agents', 7],
    ['policies', 15],
    ['workflows', 14],
  ] as const) {
    const all = await names(what)
    expect([what, all.length, new Set(all).size]).toEqual([what, count, count])
  }
  expect(Object.keys(await stage.panes()).sort()).toEqual((await agents()).map((agent) => agent.mux_session).sort())
  expect((await stage.get<Run[]>(`${stage.controller}/runs`)).find((run) => run.id === body.run_id)?.status).not.toBe(
    'running',
  )
})
