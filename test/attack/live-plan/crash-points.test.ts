// Kills the daemon after each effect (every fifth in a brief campaign). The next daemon brings processes and records to the desired
// state: forward, or back if the manifests were reverted.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Run } from '../../../schemas/run.ts'
import type { Drift } from '../../../schemas/resource.ts'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import { ofPoints, points } from '../campaign.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { root } from '../../support/root.ts'

type Direction = 'forward' | 'back'
const DIRECTIONS = ['forward', 'back'] as const

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

const manifest = (mark: string, more = '') =>
  `name: x\nruntime: scripted\nworking_dir: .\nshell: bash\nrestart: never\nenv: {MARK: "${mark}"}\n${more}`

const start = async () => {
  daemon = await stage.start()
  await stage.settled()
  await stage.connected()
}
const killed = () => daemon.signalCode === 'SIGKILL'

/** Mark of the process of x, or null. */
async function runningMark(): Promise<string | null> {
  const all = await eventually(async () => {
    const [found, panes] = [await stage.agents(), await stage.panes()]
    expect(Object.keys(panes).sort()).toEqual(found.map((agent) => agent.mux_session).sort())
    expect(found.filter(({ connected, status }) => !connected || status === 'pending')).toEqual([])
    return found
  })
  const agent = all.find(({ name }) => name === 'x')
  if (!agent) return null
  expect([all.length, agent.status]).toEqual([1, 'running'])
  const frames = await stage.listen(agent.id, [] as StreamFrame[])
  await stage.send(agent.id, 'USE_TOOL Bash printenv MARK')
  // After an early kill, the answer to the manifest's prompt may arrive only now.
  const answer = ({ type, content }: StreamFrame) => type === 'result' && content.startsWith('TOOL_')
  return (await eventually(() => frames.find(answer))).content.replace('TOOL_OK: ', '')
}

async function quiet(): Promise<boolean> {
  const runs = await stage.get<Run[]>(`${stage.controller}/runs`)
  const { steps } = await stage.plan()
  return runs.every(({ status }) => status !== 'running') && steps.length === 0
}

/** Expects that completed steps never appear as drift. */
async function expectNoDrift(): Promise<void> {
  await eventually(quiet)
  expect(await stage.get<Drift[]>(`${stage.controller}/drift`)).toEqual([])
  expect((await stage.plan()).drift).toEqual([])
}

interface Enumerated {
  look?(): Promise<void>
  /** Must not call the daemon, whose effects would count. */
  act(n: number, previous: number): void
  carriedOut(n: number): Promise<boolean>
  /** Reverts the manifests before the next start. */
  undo?(n: number): void
  check(n: number): Promise<void>
  /** Prepares the next repetition, by default from the last result. */
  again?(n: number): Promise<void>
}

/** Repeats an action, killing the daemon after its n-th effect, until it completes. Returns the number of kills. */
async function eachEffect({ look, act, carriedOut, undo, check, again }: Enumerated): Promise<number> {
  let kills = 0
  for (let [n, previous] = [1 + points.begin, 0]; ; [n, previous] = [n + points.every, n]) {
    rmSync(armed(), { force: true })
    await eventually(quiet)
    await look?.()
    writeFileSync(armed(), String(n))
    act(n, previous)
    await eventually(async () => killed() || ((await carriedOut(n)) && (await quiet())), 20_000).catch((error) => {
      if (!killed()) throw error
    })
    const wasKilled = killed()
    rmSync(armed(), { force: true })
    if (!wasKilled) return kills
    kills++
    undo?.(n)
    await start()
    await check(n)
    await again?.(n)
  }
}

const report = (action: string, direction: Direction, kills: number) => {
  counted(`crash points of ${action}, ${direction}${ofPoints}`, kills)
  expect(kills).toBeGreaterThan(points.every === 1 ? 2 : 0)
}
const declare = (text: string) => stage.write('agents/x.yml', text)
const undeclare = () => rmSync(join(stage.manifests, 'agents', 'x.yml'), { force: true })
const processOfX = async () => (await stage.panes())[(await stage.agentNamed('x'))?.mux_session ?? '']
const gone = () => eventually(async () => (await stage.agents()).length === 0)
const connected = () => eventually(async () => (await stage.agents()).some((agent) => agent.connected))

describe.each(DIRECTIONS)('recovery that rolls %s', (direction) => {
  const isBack = direction === 'back'
  const marked = async (n: number) => {
    expect(await runningMark()).toBe(isBack ? 'm0' : `m${n}`)
    await expectNoDrift()
  }

  test('restarts a process with the values of the manifest', { timeout: 240_000 }, async () => {
    declare(manifest('m0'))
    await start()
    let before: string | undefined
    const kills = await eachEffect({
      look: async () => {
        before = await processOfX()
      },
      act: (n) => declare(manifest(`m${n}`)),
      carriedOut: async () => (await processOfX()) !== before,
      undo: isBack ? () => declare(manifest('m0')) : undefined,
      check: marked,
    })
    report('restart', direction, kills)
  })

  test('creates one process if the manifest exists, none otherwise', { timeout: 240_000 }, async () => {
    await start()
    const kills = await eachEffect({
      act: (n) => declare(manifest(`m${n}`)),
      carriedOut: async () => (await stage.agents()).length === 1,
      undo: isBack ? undeclare : undefined,
      check: async (n) => {
        if (!isBack) await marked(n)
        else expect(await runningMark()).toBeNull()
        await expectNoDrift()
      },
      again: async () => {
        undeclare()
        await gone()
      },
    })
    report('create', direction, kills)
  })

  test('deletes the process, or keeps one if the manifest is restored', { timeout: 240_000 }, async () => {
    declare(manifest('m'))
    await start()
    const kills = await eachEffect({
      act: undeclare,
      carriedOut: async () => (await stage.agents()).length === 0,
      undo: isBack ? () => declare(manifest('m')) : undefined,
      check: async () => {
        expect(await runningMark()).toBe(isBack ? 'm' : null)
        await expectNoDrift()
      },
      again: async () => {
        declare(manifest('m'))
        await connected()
      },
    })
    report('delete', direction, kills)
  })

  test('adopts a foreign agent, which follows its manifest, or leaves it unchanged', { timeout: 240_000 }, async () => {
    await start()
    const foreign = async () => {
      const body = { name: 'x', working_dir: stage.project, runtime: 'scripted', shell: 'bash', env: { MARK: 'h' } }
      await stage.ask('POST', `${stage.orchestrator}/agents`, body)
      await connected()
    }
    await foreign()
    let before: string | undefined
    const kills = await eachEffect({
      look: async () => {
        before = await processOfX()
      },
      act: (n) => declare(manifest(`m${n}`)),
      carriedOut: async () => (await processOfX()) !== before,
      undo: isBack ? undeclare : undefined,
      check: async (n) => {
        // If it was already adopted, the agent was deleted with its manifest.
        if (!isBack) await marked(n)
        else expect([null, 'h']).toContain(await runningMark())
        await expectNoDrift()
      },
      again: async () => {
        undeclare()
        const purge = ({ id }: { id: string }) => stage.ask('DELETE', `${stage.orchestrator}/agents/${id}?purge=true`)
        if (isBack) await Promise.all((await stage.agents()).map(purge))
        await gone()
        await foreign()
      },
    })
    report('adopt', direction, kills)
  })

  test('updates the prompt in place and keeps the process', { timeout: 240_000 }, async () => {
    const prompting = (n: number) => declare(manifest('m', `prompt: "${n}"\n`))
    prompting(0)
    await start()
    const before = await processOfX()
    const promptOfX = async () => (await stage.agentNamed('x')).config.prompt
    const kills = await eachEffect({
      act: prompting,
      carriedOut: async (n) => (await promptOfX()) === String(n),
      undo: isBack ? () => prompting(0) : undefined,
      check: async (n) => {
        expect([await promptOfX(), await processOfX()]).toEqual([String(isBack ? 0 : n), before])
        expect(await runningMark()).toBe('m')
        await expectNoDrift()
      },
    })
    report('update', direction, kills)
  })

  test('creates, changes and deletes a workflow and its policy', { timeout: 240_000 }, async () => {
    declare(manifest('m'))
    const write = (n: number, previous: number) => {
      stage.write('policies/p.yml', `name: p\nmode: deny_list\ntools: [T${n}]\n`)
      const [made, kept, dropped] = [`made${n}`, 'kept', `made${isBack ? 0 : previous}`]
      for (const name of [made, kept])
        stage.write(
          `workflows/${name}.yml`,
          `name: ${name}\nagent: x\nsource: { type: manual }\nprompt_template: v${n}\npolicy: p\n`,
        )
      if (dropped !== made) rmSync(join(stage.manifests, 'workflows', `${dropped}.yml`), { force: true })
    }
    const undo = (n: number) => {
      write(0, 0)
      rmSync(join(stage.manifests, 'workflows', `made${n}.yml`))
    }
    write(0, 0)
    await start()
    const live = async () => {
      const workflows = await stage.get<{ name: string; prompt_template: string }[]>(`${stage.orchestrator}/workflows`)
      const policy = await stage.get<{ tools: string[] }>(`${stage.orchestrator}/policies/p`)
      return [...workflows.map((each) => `${each.name} ${each.prompt_template}`).sort(), ...policy.tools]
    }
    const wanted = (n: number) => [`kept v${n}`, `made${n} v${n}`, `T${n}`]
    const kills = await eachEffect({
      act: write,
      carriedOut: async (n) => JSON.stringify(await live()) === JSON.stringify(wanted(n)),
      undo: isBack ? undo : undefined,
      check: async (n) => {
        expect(await live()).toEqual(wanted(isBack ? 0 : n))
        await expectNoDrift()
      },
    })
    report('create, update and delete of rows', direction, kills)
  })
})

test('starts a dead process again, once', { timeout: 240_000 }, async () => {
  stage.write('agents/x.yml', manifest('m').replace('never', 'always'))
  await start()
  let before: string | undefined
  const kills = await eachEffect({
    look: async () => {
      before = await processOfX()
      expect(existsSync(`/proc/${before}`) || process.platform !== 'linux').toBe(true)
    },
    act: () => void execFileSync('kill', ['-9', before!]),
    carriedOut: async () => (await processOfX()) !== before && (await stage.agentNamed('x')).connected,
    check: async () => {
      await eventually(async () => (await stage.agentNamed('x')).connected, 20_000)
      expect(await runningMark()).toBe('m')
    },
  })
  report('relaunch', 'forward', kills)
})
