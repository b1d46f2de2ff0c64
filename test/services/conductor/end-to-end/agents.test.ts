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

function edit(path: string, change: (manifest: Manifest) => Manifest): void {
  const { daemon } = pipeline
  const manifest = parse(readFileSync(join(daemon.manifests, path), 'utf8')) as Manifest
  daemon.write(path, stringify(change(manifest)))
}

/** Starts the daemon with the manifests, whose agent is scripted. `enabled`: the only enabled workflow. */
async function start(enabled: string, change: (manifest: Manifest) => Manifest): Promise<void> {
  pipeline = await Pipeline.start({
    manifests: join(root, 'examples', 'conductor'),
    env: { PATH: `${dirname(bin('agent'))}:${process.env.PATH}`, CONDUCTOR_WEBHOOK_SECRET: SECRET },
  })
  const { daemon } = pipeline
  edit('agents/conductor.yml', ({ model, command, ...agent }) => ({
    ...agent,
    runtime: 'scripted',
    shell: 'bash',
    env: { SVC_DATA_DIR: daemon.dataDir },
  }))
  for (const workflow of ['conductor-run', 'conductor-merge-ready', 'conductor-sync'])
    edit(`workflows/${workflow}.yml`, (manifest) =>
      workflow === enabled ? change({ ...manifest, prompt_template: PROMPT }) : { ...manifest, enabled: false },
    )
  await daemon.start()
  await daemon.settled()
  await daemon.connected()
}

const runs = () => pipeline.daemon.get<ConductorRun[]>(`${pipeline.address}/runs`)

test('performs a whole run at the time of the cron workflow', async () => {
  await start('conductor-run', (manifest) => ({
    ...manifest,
    trigger_config: { type: 'cron', expression: '* * * * * *' },
  }))
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
  const done = (await runs()).find(({ id }) => id === digest!.metadata.run)
  expect(done).toMatchObject({ status: 'done', health: 'ok', problems: [] })
})

test('starts a run when a pull request gains the label merge-ready', async () => {
  await start('conductor-merge-ready', (manifest) => ({
    ...manifest,
    trigger_config: { ...manifest.trigger_config, secret: SECRET },
  }))
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
