// Scripted agents ask for runs through the manifests of examples/conductor.
import { expect, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { Pipeline, REPOSITORY, SECRET } from './pipeline.ts'

/** From the accepted delivery of `merge-ready` to the start of its run. */
const START_WITHIN_MS = 2000
/** The median counts: other processes of the machine may delay one of them. */
const DELIVERIES = 5

test('performs a whole run at the time of the cron workflow', async () => {
  const pipeline = await Pipeline.withAgent({ 'conductor-run': { trigger_config: { expression: '* * * * * *' } } })
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
  const done = await eventually(async () => (await pipeline.runs()).find(({ id }) => id === digest!.metadata.run))
  expect(done).toMatchObject({ status: 'done', health: 'ok', problems: [] })
})

test('starts a run within two seconds when a pull request gains the label merge-ready', async () => {
  const pipeline = await Pipeline.withAgent({ 'conductor-merge-ready': {} })
  const { github, remote, daemon } = pipeline
  remote.stack()
  remote.commit('d', { 'd.txt': 'd' }, 'd1', 'main')
  const number = pipeline.approved('a', 'main', [])
  const { id } = await pipeline.workflow('conductor-merge-ready')
  github.deliverTo({ url: `${daemon.orchestrator}/webhooks/${id}`, secret: SECRET })
  github.label(number, 'other')
  github.label(number, 'merge-ready')
  expect(await Promise.all(github.webhooks.deliveries)).toEqual([202, 202])
  await eventually(async () => (await pipeline.ended('conductor-merge-ready')).length === 1)
  expect((await pipeline.runs()).map(({ status }) => status)).toEqual(['done'])
  expect(remote.subjects('main')).toEqual([`Change a (#${number})`, 'start'])

  const other = github.pullRequest({ branch: 'd' })
  for (let count = 2; count <= DELIVERIES; count++) {
    github.label(other, 'merge-ready')
    await eventually(async () => (await pipeline.ended('conductor-merge-ready')).length === count)
    github.unlabel(other, 'merge-ready')
  }
  const sorted = (await delays(pipeline)).toSorted((one, two) => one - two)
  console.log(`merge-ready: the run started ${sorted.join(', ')} ms after the delivery`)
  expect(sorted[Math.floor(DELIVERIES / 2)]).toBeLessThanOrEqual(START_WITHIN_MS)
})

/** Milliseconds from each delivery to the start of its run, by the times that the daemon recorded. */
async function delays(pipeline: Pipeline): Promise<number[]> {
  const runs = (await pipeline.runs()).toReversed()
  const dispatches = await pipeline.ended('conductor-merge-ready')
  return dispatches.map(({ source_id }, at) => {
    const [, deliveredAt] = /^webhook:delivery-\d+:(.+)$/.exec(source_id)!
    return Date.parse(runs[at]!.started_at) - Date.parse(deliveredAt!)
  })
}
