// Workflows of examples/conductor that follow others, and that poll the forge.
import { expect, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { type Manifest, Pipeline } from './pipeline.ts'

const [owner, repo] = ['acme', 'shop']

let pipeline: Pipeline

/** A workflow of another agent that takes up each item with the label. */
const stage = (name: string, type: string, label: string): Record<string, Manifest> => ({
  'agents/worker': { name: 'worker', working_dir: '.', runtime: 'scripted' },
  [`workflows/${name}`]: {
    name,
    agent: 'worker',
    poll_interval_secs: 1,
    trigger_config: { type, owner, repo, labels: [label] },
    prompt_template: `${name} {{source_id}}`,
  },
})

/** Dispatches of a workflow, once as many as `count` have ended. */
const ended = (name: string, count: number) =>
  eventually(async () => {
    const found = await pipeline.ended(name)
    return found.length >= count && found
  })

test('marks a pull request after its review if it may be merged, and lists the rules otherwise', async () => {
  const chain = { 'review-merge-chain': { trigger_config: { source_workflow: 'review' } } }
  pipeline = await Pipeline.withAgent(chain, stage('review', 'forge_pull_requests', 'review-agent'))
  const { remote, github } = pipeline
  remote.stack()
  const ready = pipeline.approved('a', 'main', ['review-agent'])
  const early = github.pullRequest({ branch: 'b', base: 'a', labels: ['review-agent'] })
  const dispatches = await ended('review-merge-chain', 2)
  expect(github.item(ready).labels).toEqual(['review-agent', 'merge-ready'])
  expect(github.item(early).labels).toEqual(['review-agent'])
  expect(dispatches.map(({ status }) => status)).toEqual(['completed', 'completed'])
  const refused = dispatches.find(({ prompt_sent }) => prompt_sent.includes(`mark ${early} `))
  expect(refused!.result).toMatch(/reviews.*stack/s)
  expect(await pipeline.runs()).toEqual([])
})

test('gives an issue to the agent that enriches issues after its triage', async () => {
  const chain = { 'triage-enrich-chain': { trigger_config: { source_workflow: 'triage' } } }
  pipeline = await Pipeline.withAgent(chain, stage('triage', 'forge_issues', 'needs-triage'))
  const { github } = pipeline
  const other = github.issue({ labels: ['bug'] })
  const issue = github.issue({ labels: ['needs-triage'] })
  const [dispatch, ...more] = await ended('triage-enrich-chain', 1)
  expect([dispatch!.status, more]).toEqual(['completed', []])
  expect(github.item(issue).labels).toEqual(['needs-triage', 'enrich-agent'])
  expect(github.item(other).labels).toEqual(['bug'])
})

test('runs each time that an issue gets the label conductor-sync', async () => {
  pipeline = await Pipeline.withAgent({
    'conductor-sync': { poll_interval_secs: 1, trigger_config: { owner, repo } },
  })
  const { github } = pipeline
  const issue = github.issue({ labels: ['bug'] })
  const isPoll = ({ path, query }: (typeof github.requests)[number]) =>
    path === '/repos/acme/shop/issues' && query.get('labels') === 'conductor-sync'
  for (const count of [1, 2]) {
    github.label(issue, 'conductor-sync')
    await ended('conductor-sync', count)
    expect(github.item(issue).labels).toEqual(['bug'])
    // A poll without the issue, after which its label is new.
    const before = github.requests.length
    await eventually(() => github.requests.slice(before).filter(isPoll).length >= 2)
    expect((await pipeline.runs()).map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 'done'))
  }
})
