// `kill -9` of the daemon after each effect of each action: committed writes and changes of terminal sessions, one
// after the other. After every one the next daemon brings the processes to what is desired, and not only the records.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Run } from '../../../schemas/run.ts'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { root } from '../../support/root.ts'

let stage: DaemonStand
let daemon: ChildProcess
const armed = () => stage.env.SVC_CRASH_FILE!

beforeEach(async () => {
  stage = await DaemonStand.create()
  Object.assign(stage.env, {
    SVC_CRASH_FILE: join(stage.home, 'crash-after'),
    NODE_OPTIONS: `--import ${join(root, 'test', 'attack', 'live-plan', 'crash-points.mjs')}`,
  })
  stage.write('policies/other.yml', 'name: other\nmode: deny_all\n')
})
afterEach(() => stage.close())

/** An agent that is not kept by a rule, so that nothing but what was asked for starts it. */
const manifest = (mark: string, more = '') =>
  `name: x\nruntime: scripted\nworking_dir: .\nshell: bash\nrestart: never\nenv: {MARK: "${mark}"}\n${more}`

const start = async () => {
  daemon = await stage.start()
  await stage.settled()
  await stage.connected()
}
const killed = () => daemon.signalCode === 'SIGKILL'

/** What the process of x was started with, as its program says; null where there is no such process. */
async function markThatRuns(): Promise<string | null> {
  const all = await eventually(async () => {
    const [found, panes] = [await stage.agents(), await stage.panes()]
    expect(Object.keys(panes).sort()).toEqual(found.map((agent) => agent.mux_session).sort())
    expect(found.filter(({ connected }) => !connected)).toEqual([])
    return found
  })
  const agent = all.find(({ name }) => name === 'x')
  if (!agent) return null
  expect([all.length, agent.status]).toEqual([1, 'running'])
  const frames = await stage.listen(agent.id, [] as StreamFrame[])
  await stage.send(agent.id, 'USE_TOOL Bash printenv MARK')
  return (await eventually(() => frames.find((frame) => frame.type === 'result'))).content.replace('TOOL_OK: ', '')
}

async function quiet(): Promise<boolean> {
  const runs = await stage.get<Run[]>(`${stage.controller}/runs`)
  const { steps } = await stage.plan()
  return runs.every(({ status }) => status !== 'running') && steps.length === 0
}

/**
 * `act` once for each effect that follows from it, the daemon killed after that one, until one comes to its end;
 * `check`
 * after each next start. Returns how many effects there were.
 */
async function eachEffect(
  act: (n: number) => void | Promise<void>,
  carriedOut: (n: number) => Promise<boolean>,
  check: (n: number) => Promise<void>,
): Promise<number> {
  for (let n = 1; ; n++) {
    rmSync(armed(), { force: true })
    await eventually(quiet)
    writeFileSync(armed(), String(n))
    await act(n)
    await eventually(async () => killed() || ((await carriedOut(n)) && (await quiet())), 20_000).catch((error) => {
      if (!killed()) throw error
    })
    const wasKilled = killed()
    rmSync(armed(), { force: true })
    if (wasKilled) await start()
    await check(n)
    if (!wasKilled) return n - 1
  }
}

const report = (action: string, effects: number) => {
  counted(`crash points of ${action}`, effects)
  expect(effects).toBeGreaterThan(2)
}
const runsMark = (n: number) => async () => (await stage.agents()).length === n
const marked = async (n: number) => expect(await markThatRuns()).toBe(`m${n}`)
const processOfX = async () => (await stage.panes())[(await stage.agentNamed('x'))?.mux_session ?? '']

test('restart: the process runs the new values after each', { timeout: 240_000 }, async () => {
  stage.write('agents/x.yml', manifest('m0'))
  await start()
  let before = await processOfX()
  const effects = await eachEffect(
    async (n) => {
      before = await processOfX()
      stage.write('agents/x.yml', manifest(`m${n}`))
    },
    async () => (await processOfX()) !== before,
    marked,
  )
  report('restart', effects)
})

test('create and delete: one process while its manifest is there, none after', { timeout: 240_000 }, async () => {
  await start()
  const created = await eachEffect(
    (n) => stage.write('agents/x.yml', manifest(`m${n}`)),
    runsMark(1),
    async (n) => {
      await marked(n)
      rmSync(join(stage.manifests, 'agents', 'x.yml'))
      await eventually(async () => (await stage.agents()).length === 0)
    },
  )
  report('create', created)
  const remake = async () => {
    stage.write('agents/x.yml', manifest('m'))
    await eventually(async () => (await stage.agents()).some(({ connected }) => connected))
  }
  await remake()
  const deleted = await eachEffect(
    () => rmSync(join(stage.manifests, 'agents', 'x.yml')),
    runsMark(0),
    async () => {
      expect(await markThatRuns()).toBeNull()
      await remake()
    },
  )
  report('delete', deleted)
})

test('adopt: what somebody made runs as its manifest says after each', { timeout: 240_000 }, async () => {
  await start()
  const foreign = async () => {
    const body = { name: 'x', working_dir: stage.project, runtime: 'scripted', shell: 'bash', env: { MARK: 'by-hand' } }
    await stage.ask('POST', `${stage.orchestrator}/agents`, body)
    await eventually(async () => (await stage.agentNamed('x'))?.connected)
  }
  await foreign()
  let before: string | undefined
  const effects = await eachEffect(
    async (n) => {
      before = await processOfX()
      stage.write('agents/x.yml', manifest(`m${n}`))
    },
    async () => (await processOfX()) !== before,
    async (n) => {
      await marked(n)
      rmSync(join(stage.manifests, 'agents', 'x.yml'))
      await eventually(async () => (await stage.agents()).length === 0)
      await foreign()
    },
  )
  report('adopt', effects)
})

test('update in place: the same process, under the new policy', { timeout: 240_000 }, async () => {
  stage.write('agents/x.yml', manifest('m', 'prompt: "0"\n'))
  await start()
  const before = await processOfX()
  const promptOfX = async () => (await stage.agentNamed('x')).config.prompt
  const effects = await eachEffect(
    (n) => stage.write('agents/x.yml', manifest('m', `prompt: "${n}"\n`)),
    async (n) => (await promptOfX()) === String(n),
    async (n) => {
      expect([await promptOfX(), await processOfX()]).toEqual([String(n), before])
      expect(await markThatRuns()).toBe('m')
    },
  )
  report('update', effects)
})

test('relaunch: a process that died is there again, once', { timeout: 240_000 }, async () => {
  stage.write('agents/x.yml', manifest('m').replace('never', 'always'))
  await start()
  let before: string | undefined
  const effects = await eachEffect(
    async () => {
      before = await processOfX()
      expect(existsSync(`/proc/${before}`) || process.platform !== 'linux').toBe(true)
      execFileSync('kill', ['-9', before!])
    },
    async () => (await processOfX()) !== before && (await stage.agentNamed('x')).connected,
    async () => {
      await eventually(async () => (await stage.agentNamed('x')).connected, 20_000)
      expect(await markThatRuns()).toBe('m')
    },
  )
  report('relaunch', effects)
})
