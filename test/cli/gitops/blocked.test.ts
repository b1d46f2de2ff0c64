// `sync.drift: block` and `svc blame`.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { ProblemBody } from '../../../schemas/problem.ts'
import type { Blame } from '../../../schemas/operations/gitops/blame.ts'
import type { Drift } from '../../../schemas/resource.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const AGENT = `name: planner
working_dir: .
shell: bash
runtime: scripted
prompt: plan
tool_policy:
  mode: allow_list
  tools: [Read]
sync:
  drift: block
  ignore: [prompt]
`
const POLICY = 'name: strict\nmode: allow_list\ntools: [Read]\nsync: {fields: {tools: block}}\n'
const ROOM = 'name: lobby\ntopic: plans\nparticipants: [{identifier: mira, role: admin}]\nsync: {drift: block}\n'
const DOCUMENT = 'name: guide\ntitle: Guide\ncontent: "# Guide"\nsync: {drift: block}\n'
const WORKFLOW = `name: triage
agent: planner
source: {type: manual}
prompt_template: "Look at {{title}}"
sync: {drift: block}
`

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('agents/planner.yml', AGENT)
  stand.write('policies/strict.yml', POLICY)
  stand.write('rooms/lobby.yml', ROOM)
  stand.write('documents/guide.yml', DOCUMENT)
  stand.write('workflows/triage.yml', WORKFLOW)
  await stand.startInside()
  const { code, stdout, stderr } = await stand.svc(['reconcile', '--wait'])
  expect(code, stderr + stdout).toBe(0)
}, 90_000)
afterAll(() => stand.close())

const shown = async (...args: string[]) => {
  const { code, stdout, stderr } = await stand.svc(args)
  expect(code, stderr + stdout).toBe(0)
  return stdout
}
const service = (name: 'communicate' | 'docstore') => stand.urls[name]!
const refused = async (method: string, address: string, body?: unknown) => {
  const answer = await stand.ask<ProblemBody>(method, address, body, { 'x-svc-actor': 'operator' })
  expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([409, 'managed-by-manifest'])
  return answer.body.detail
}
const openDrift = async () => stand.get<Drift[]>(`${stand.controller}/drift?open=true`)
const said = (what: string, at: string) =>
  `${what} ${what.includes(', ') ? 'are' : 'is'} managed by a manifest, ${at} of source default`

describe('a manual write of a declared field', () => {
  let agent: string
  beforeEach(async () => void (agent = `${stand.orchestrator}/agents/${(await stand.agentNamed('planner')).id}`))

  test('is refused for an agent, with the position in the manifest', async () => {
    const before = await eventually(async () => {
      const { body } = await stand.ask<AgentRecord>('GET', agent)
      return body.activity === 'idle' && body
    })
    const policy = await refused('PUT', `${agent}/policy`, { mode: 'allow_all' })
    expect(policy).toContain(
      said('tool_policy.mode, tool_policy.tools[Read] of agents/planner', 'agents/planner.yml:7:3'),
    )
    expect(await refused('PATCH', agent, { config: { shell: 'zsh' } })).toMatch('agents/planner.yml:3:1')
    // A default is reported at the position of the name.
    expect(await refused('PATCH', agent, { config: { env: { A: 'planted' } } })).toMatch('agents/planner.yml:1:')
    await refused('POST', `${agent}/dirs`, { path: stand.home })
    expect(await refused('DELETE', agent)).toContain(said('status of agents/planner', 'agents/planner.yml:1:1'))
    expect(await refused('DELETE', `${agent}?purge=true`)).toContain(said('agents/planner', 'agents/planner.yml:1:1'))
    const after = (await stand.ask('GET', agent)).body
    expect(after).toEqual(before)
    expect(await openDrift()).toEqual([])
  })

  test('is refused for every other kind', async () => {
    const detail = await refused('PUT', `${stand.orchestrator}/policies/strict`, {
      mode: 'allow_list',
      tools: ['Bash'],
    })
    expect(detail).toContain(said('tools[Read], tools[Bash] of policies/strict', 'policies/strict.yml:3:9'))
    const [workflow] = await stand.get<{ id: string }[]>(`${stand.orchestrator}/workflows`)
    const address = `${stand.orchestrator}/workflows/${workflow!.id}`
    expect(
      await refused('PATCH', address, { agent_id: (await stand.agentNamed('planner')).id, enabled: false }),
    ).toContain(said('enabled of workflows/triage', 'workflows/triage.yml:1:1'))
    await refused('DELETE', address)
    const rooms = service('communicate')
    await refused('PATCH', `${rooms}/rooms/lobby`, { topic: 'else' })
    await refused('POST', `${rooms}/rooms/lobby/participants`, { identifier: 'ben', kind: 'human' })
    await refused('DELETE', `${rooms}/rooms/lobby/participants/mira`)
    await refused('DELETE', `${rooms}/rooms/lobby`)
    const documents = service('docstore')
    await refused('PATCH', `${documents}/v1/documents/guide`, { content: 'else' })
    await refused('DELETE', `${documents}/v1/documents/guide`)
    expect((await stand.get<{ content: string }>(`${documents}/v1/documents/guide`)).content).toBe('# Guide')
    expect(await openDrift()).toEqual([])
  })

  test('succeeds if the field is ignored, not blocked, or not declared', async () => {
    expect((await stand.ask('PATCH', agent, { config: { prompt: 'something else' } })).status).toBe(200)
    expect((await stand.ask('POST', `${agent}/clear-context`)).status).toBe(200)
    expect((await stand.ask('POST', `${agent}/restart`)).status).toBe(200)
    await stand.connected()
    const strict = `${stand.orchestrator}/policies/strict`
    expect(
      (await stand.ask('PUT', strict, { mode: 'allow_list', tools: ['Read'], description: 'by hand' })).status,
    ).toBe(200)
    await eventually(async () => (await openDrift()).map(({ path }) => path).join() === 'description')
    expect((await stand.ask('PUT', `${stand.orchestrator}/policies/own`, { mode: 'deny_all' })).status).toBe(201)
    await shown('reconcile')
  })

  test('is refused with the next step, and allowed while suspended', async () => {
    const { code, stderr } = await stand.agent(['orchestrator', 'delete-agent', 'planner'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/agents\/planner\.yml:1:\d+ of source default.*\nhint: change that file and save it/s),
    ])
    await shown('suspend')
    expect((await stand.ask('PUT', `${agent}/policy`, { mode: 'deny_all' })).status).toBe(200)
    await shown('resume')
    await refused('PUT', `${agent}/policy`, { mode: 'allow_all' })
    // Changes made meanwhile are drift and are reverted on request.
    expect(await shown('drift')).toMatch(/tool_policy/)
    await shown('drift', 'revert', 'agents/planner')
  })

  test('is allowed once the manifest allows it; its source keeps writing', async () => {
    stand.write('documents/guide.yml', DOCUMENT.replace('# Guide', '# Second'))
    await shown('reconcile')
    const documents = service('docstore')
    expect((await stand.get<{ content: string }>(`${documents}/v1/documents/guide`)).content).toBe('# Second')
    await refused('PATCH', `${documents}/v1/documents/guide`, { content: 'else' })
    stand.write('documents/guide.yml', DOCUMENT.replace('block', 'report'))
    await shown('reconcile')
    expect((await stand.ask('PATCH', `${documents}/v1/documents/guide`, { content: 'else' })).status).toBe(200)
    rmSync(join(stand.manifests, 'documents/guide.yml'))
    await shown('reconcile')
  })
})

test('shows the owner of each field: manifest, manual change or default', async () => {
  const before = JSON.parse(await shown('blame', 'policies/strict', '--json')) as Blame
  expect(before.members).toContainEqual(
    expect.objectContaining({ path: 'tools[Read]', owner: 'git:default', place: 'policies/strict.yml:3:9' }),
  )
  expect(before.members).toContainEqual({
    path: 'description',
    value: null,
    owner: 'default',
    place: null,
    at: null,
    request_id: null,
    endpoint: null,
  })
  await stand.ask('PUT', `${stand.orchestrator}/policies/strict`, {
    mode: 'allow_list',
    tools: ['Read'],
    description: 'by hand',
  })
  const text = await shown('blame', 'policies/strict')
  expect(text).toMatch(/^FIELD +SET BY +WHERE +AGO +VALUE/)
  expect(text).toMatch(/description +api:\w+ +PUT \/policies\/\S+ +<?\d+ m?s +by hand/)
  expect(text).toMatch(/mode +git:default +policies\/strict\.yml:2:1 +- +allow_list/)
  const [only, ...rest] = (JSON.parse(await shown('blame', 'policies/strict', 'description', '--json')) as Blame)
    .members
  expect([rest, only]).toEqual([
    [],
    expect.objectContaining({ value: 'by hand', endpoint: expect.stringMatching(/^PUT /) }),
  ])
  expect(await stand.svc(['blame', 'policies/strict', 'descriptio'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/field of policies\/strict descriptio.*did you mean "description"/),
  })
  const agent = (JSON.parse(await shown('blame', 'agents/planner', 'tool_policy', '--json')) as Blame).members
  expect(agent.map(({ path, owner }) => `${path} ${owner}`)).toEqual([
    'tool_policy.mode git:default',
    'tool_policy.tools[Read] git:default',
  ])
})
