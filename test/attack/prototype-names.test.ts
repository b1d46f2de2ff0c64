// Names of the prototype chain as names of records, members and variables.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { WorkflowRecord } from '../../schemas/workflow.ts'
import { checkTemplate } from '../../schemas/workflow/template.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']
const AGENT = 'name: worker\nworking_dir: .\nshell: bash\nruntime: scripted\ntool_policy: {mode: deny_all}\n'

let stand: DaemonStand
let worker: AgentRecord
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('agents/worker.yml', AGENT)
  await stand.startReadyInside()
  worker = await stand.agentNamed('worker')
}, 60_000)
afterAll(() => stand.close())

const unpolluted = () => expect(Object.keys(Object.prototype)).toEqual([])

test.each(NAMES)('is not inherited as a path, query or member: %s', async (name) => {
  const asked = [
    stand.ask('GET', `${stand.orchestrator}/policies/${name}`),
    stand.ask('GET', `${stand.orchestrator}/queues/${name}/stats`),
    stand.ask('GET', `${stand.controller}/resources/${name}/${name}`),
    stand.ask('GET', `${stand.controller}/schemas/${name}.json`),
    stand.ask('GET', `${stand.orchestrator}/agents?${name}=1`),
    stand.ask('PUT', `${stand.orchestrator}/policies/p`, JSON.parse(`{"mode":"deny_all","${name}":{"polluted":1}}`)),
    stand.ask('PUT', `${stand.orchestrator}/policies/q`, { mode: name }),
    stand.ask('POST', `${stand.orchestrator}/templates/validate`, { template: 'x', trigger_type: name }),
    stand.ask('POST', `${stand.controller}/plan`, {
      manifests: [{ path: `${name}/x.yml`, content: `${name}: {polluted: 1}\nkind: ${name}\nname: ${name}\n` }],
    }),
  ]
  expect((await Promise.all(asked)).filter(({ status }) => status >= 500)).toEqual([])
  unpolluted()
})

test.each(NAMES)('names a policy, a queue and a tool like any other name: %s', async (name) => {
  const put = await stand.ask('PUT', `${stand.orchestrator}/policies/${name}`, { mode: 'allow_list', tools: [name] })
  // Names start with a letter or digit.
  expect(put.status).toBe(name.startsWith('_') ? 400 : 201)
  const push = await stand.ask('POST', `${stand.orchestrator}/queues/${name}/push`, {
    title: 'x',
    metadata: JSON.parse(`{"${name}":"mine"}`),
  })
  expect([201, 400]).toContain(push.status)
  unpolluted()
})

test('replaces each placeholder once, with own variables only', async () => {
  const template = '{{title}}|{{constructor}}|{{__proto__}}|{{toString}}|{{hasOwnProperty}}|{{body}}'
  expect(checkTemplate(template, 'manual').warnings).toHaveLength(4)
  const { body: flow } = await stand.ask<WorkflowRecord>('POST', `${stand.orchestrator}/workflows`, {
    name: 'flow',
    agent_id: worker.id,
    trigger_config: { type: 'manual' },
    prompt_template: template,
  })
  const input = { title: '{{body}}', body: '{{title}}', metadata: { toString: '{{title}}' } }
  const url = `${stand.orchestrator}/workflows/${flow.id}`
  expect((await stand.ask('POST', `${url}/trigger`, input)).status).toBeLessThan(300)
  const sent = await eventually(
    async () => (await stand.get<{ prompt_sent: string }[]>(`${url}/history`))[0]?.prompt_sent,
  )
  expect(sent).toBe('{{body}}|{{constructor}}|{{__proto__}}|{{title}}|{{hasOwnProperty}}|{{title}}')
})
