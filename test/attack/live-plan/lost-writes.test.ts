import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { Run } from '../../../schemas/run.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import { times } from '../campaign.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const WORKFLOWS = 18
const AGENTS = 2
const PASSES = times(4, 2)

let stage: DaemonStand
beforeEach(async () => {
  stage = await DaemonStand.create()
})
afterEach(() => stage.close())

const ofAgents = (round: number) => {
  for (let at = 0; at < AGENTS; at++)
    stage.write(
      `agents/a${at}.yml`,
      `name: a${at}\nruntime: scripted\nworking_dir: .\nshell: bash\nauto_clear_threshold: ${round}\n`,
    )
}
const ofWorkflows = (round: number) => {
  for (let at = 0; at < WORKFLOWS; at++)
    stage.write(
      `workflows/w${at}.yml`,
      `name: w${at}\nagent: a0\nsource: { type: manual }\nprompt_template: as declared\npoll_interval: ${round}\n`,
    )
}

async function pass(round: number): Promise<Run> {
  ofAgents(round)
  ofWorkflows(round)
  const { body } = await stage.ask('POST', `${stage.controller}/sources/default/sync`, { keep_drift: true })
  return eventually(async () => {
    const run = await stage.get<Run>(`${stage.controller}/runs/${body.run_id}`)
    return run.status !== 'running' && run
  }, 120_000)
}

/** Writes until `enough`; returns the lost writes. */
async function writer<T>(
  enough: () => boolean,
  url: string,
  members: (n: number) => object,
  valueOf: (record: T) => unknown,
) {
  const lost: string[] = []
  let acknowledged = 0
  const check = async (n: number) => {
    const [is, wanted] = [valueOf(await stage.get<T>(url)), Object.values(members(n))[0]]
    if (is !== wanted) lost.push(`${url}: ${JSON.stringify(is)} in place of ${JSON.stringify(wanted)}`)
  }
  while (!enough()) {
    const { status } = await stage.ask('PATCH', url, members(acknowledged + 1))
    expect(status).toBe(200)
    await check(++acknowledged)
  }
  return { lost, acknowledged, check: () => check(acknowledged) }
}

test('loses no acknowledged write to another field during a pass', { timeout: 240_000 }, async () => {
  ofAgents(1)
  ofWorkflows(1)
  await stage.startReady()
  const workflows = await stage.get<WorkflowRecord[]>(`${stage.orchestrator}/workflows`)
  const agents = await stage.agents()
  let passed = 0
  const enough = () => passed === PASSES
  const writing = Promise.all([
    ...workflows.map(({ id }) =>
      writer<WorkflowRecord>(
        enough,
        `${stage.orchestrator}/workflows/${id}`,
        (n) => ({ prompt_template: `by hand ${n}` }),
        ({ prompt_template }) => prompt_template,
      ),
    ),
    ...agents.map(({ id }) =>
      writer<AgentRecord>(
        enough,
        `${stage.orchestrator}/agents/${id}`,
        (n) => ({ max_cost_usd: n }),
        ({ config }) => config.max_cost_usd,
      ),
    ),
  ])
  writing.catch(() => undefined)
  while (!enough()) {
    await pass(passed + 2)
    passed++
  }
  const writers = await writing
  for (const { check } of writers) await check()
  const acknowledged = writers.reduce((sum, each) => sum + each.acknowledged, 0)
  // An automatic pass may find the change first.
  const steps = (await stage.get<Run[]>(`${stage.controller}/runs`)).flatMap((run) => run.steps)
  const changed = steps.filter(({ status, action }) => status === 'done' && action !== 'create').length
  counted('acknowledged writes to other fields during passes', acknowledged)
  counted('steps of concurrent passes', changed)
  expect(writers.flatMap(({ lost }) => lost)).toEqual([])
  expect(acknowledged).toBeGreaterThanOrEqual(times(500))
  expect(changed).toBeGreaterThan(PASSES)
  const ended = await stage.get<WorkflowRecord[]>(`${stage.orchestrator}/workflows`)
  expect(ended.map(({ poll_interval_secs }) => poll_interval_secs)).toEqual(ended.map(() => PASSES + 1))
})
