// Scripted agents ask for runs through the manifests of examples/conductor.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import type { ConductorRun } from '../../../../schemas/conductor/run.ts'
import { bin } from '../../../support/built.ts'
import { eventually } from '../../../support/eventually.ts'
import { root } from '../../../support/root.ts'
import { Pipeline, REPOSITORY } from './pipeline.ts'

const SECRET = 'hook-secret-1'
const PROMPT = 'USE_TOOL Bash agent conductor run'

let pipeline: Pipeline
afterEach(() => pipeline.close())

type Manifest = Record<string, any>

/** Starts the daemon with the manifests of the example; the agent is scripted, and there is only one workflow. */
async function start(enabled: string, trigger: Manifest = {}): Promise<void> {
  const path = `${dirname(bin('agent'))}:${process.env.PATH}`
  pipeline = await Pipeline.create({ PATH: path, CONDUCTOR_WEBHOOK_SECRET: SECRET })
  const { daemon } = pipeline
  const edit = (file: string, change: (manifest: Manifest) => Manifest) => {
    const manifest = parse(readFileSync(join(root, 'examples', 'conductor', file), 'utf8')) as Manifest
    daemon.write(file, stringify(change(manifest)))
  }
  // A sandbox hides the file that names the ports.
  const address = `http://127.0.0.1:${daemon.env.SVC_CONDUCTOR_PORT}`
  edit('agents/conductor.yml', (agent) => ({ ...agent, runtime: 'scripted', env: { SVC_CONDUCTOR_URL: address } }))
  edit(`workflows/${enabled}.yml`, ({ trigger_config, ...manifest }) => ({
    ...manifest,
    trigger_config: { ...trigger_config, ...trigger },
    prompt_template: PROMPT,
  }))
  await pipeline.start('rooms', 'policies', 'agents')
}

const runs = () => pipeline.daemon.get<ConductorRun[]>(`${pipeline.address}/runs`)

test('performs a whole run at the time of the cron workflow', async () => {
  await start('conductor-run', { expression: '* * * * * *' })
  const issue = pipeline.github.issue({ title: 'Login fails' })
  const [digest] = await eventually(async () => {
    const found = await pipeline.messages('operations', 'digest')
    return found.length > 0 && found
  })
  expect(pipeline.github.item(issue).labels).toEqual(['needs-triage'])
  expect(digest).toMatchObject({
    sender_name: 'conductor',
    metadata: { source: 'conductor', repository: REPOSITORY, counts: { needs_triage: 1 } },
  })
  const [memory] = await eventually(async () => {
    const found = await pipeline.memories()
    return found.length > 0 && found
  })
  expect(memory!.tags.toSorted()).toEqual(['conductor', 'health:ok', 'pipeline', `repo:${REPOSITORY}`])
  const done = await eventually(async () => (await runs()).find(({ id }) => id === digest!.metadata.run))
  expect(done).toMatchObject({ status: 'done', health: 'ok', problems: [] })
})

test('starts a run when a pull request gains the label merge-ready', async () => {
  await start('conductor-merge-ready')
  const { github, remote, daemon } = pipeline
  remote.stack()
  const number = pipeline.approved('a', 'main', [])
  const { items } = await daemon.get<{ items: { id: string; name: string }[] }>(
    `${daemon.orchestrator}/workflows?limit=100`,
  )
  const { id } = items.find(({ name }) => name === 'conductor-merge-ready')!
  github.deliverTo({ url: `${daemon.orchestrator}/webhooks/${id}`, secret: SECRET })
  github.label(number, 'other')
  github.label(number, 'merge-ready')
  expect(await Promise.all(github.webhooks.deliveries)).toEqual([202, 202])
  await eventually(() => github.pull(number).state === 'MERGED')
  const [first, ...more] = await eventually(async () => {
    const found = await runs()
    return found.length > 0 && found
  })
  expect([first!.status, more]).toEqual(['done', []])
  expect(remote.subjects('main')).toEqual([`Change a (#${number})`, 'start'])
})
