import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { chosen } from '../campaign.ts'
import { counted } from '../../support/counts.ts'
import { eventually } from '../../support/eventually.ts'
import { request } from '../../support/http.ts'
import { Machine, PATIENCE_MS, runtimeFile, type DaemonProcess } from './daemon-process.ts'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 60_000 })

/** Milliseconds after the first line, and after the runtime file appeared. */
const MOMENTS = chosen(Array.from({ length: 31 }, (_each, index) => index * 100))
const MOMENTS_UP = chosen([0, 1, 2, 5, 10, 20, 50])

let machine: Machine
/** Preloads a script that prints when SIGTERM is handled, and whether files existed by then. */
let firstLine: Record<string, string>
beforeEach(() => {
  machine = new Machine()
  machine.team('anna')
  const preload = join(machine.home, 'first-line.mjs')
  writeFileSync(
    preload,
    `import { existsSync, writeSync } from 'node:fs'
const onListener = (event) => {
  if (event !== 'SIGTERM') return
  process.off('newListener', onListener)
  writeSync(1, 'listens' + (existsSync(process.env.SVC_DATA_DIR) ? ' late' : ' at once') + '\\n')
}
process.on('newListener', onListener)
`,
  )
  firstLine = { NODE_OPTIONS: `--import ${preload}` }
})
afterEach(() => machine.close())

const start = (name: string): DaemonProcess =>
  machine.start({ dataDir: join(machine.home, name), env: { ...firstLine, SVC_MUX_SOCKET: machine.muxSocket } })

const listens = (daemon: DaemonProcess): Promise<string> =>
  eventually(() => /^listens (.*)$/m.exec(daemon.output)?.[1] ?? null, PATIENCE_MS, 1)

/** Sends SIGTERM; returns null after a clean exit. A forced exit after ten seconds has code 1. */
async function stopped(daemon: DaemonProcess, when: string): Promise<string | null> {
  daemon.kill('SIGTERM')
  const { code, signal } = await daemon.ended
  const file = runtimeFile(daemon.dataDir)
  if (code === 0 && signal === null && file === null) return null
  return `${when}: ${JSON.stringify({ code, signal, file })} ${daemon.output}`
}

test('exits with 0 on SIGTERM at any time after the first line', async () => {
  const [limit, wrong] = [pLimit(4), [] as (string | null)[]]
  let beforeUp = 0
  await Promise.all(
    MOMENTS.map((moment) =>
      limit(async () => {
        const daemon = start(`after-${moment}`)
        expect(await listens(daemon)).toBe('at once')
        await sleep(moment)
        if (runtimeFile(daemon.dataDir) === null) beforeUp++
        wrong.push(await stopped(daemon, `${moment} ms after its first line`))
      }),
    ),
  )
  expect(wrong.filter(Boolean)).toEqual([])
  counted('signals: SIGTERMs', MOMENTS.length)
  counted('signals: SIGTERMs before the daemon was up', beforeUp)
  expect(beforeUp).toBeGreaterThan(0)
})

test('exits with 0 on SIGTERM just after writing the runtime file', async () => {
  const wrong: (string | null)[] = []
  for (const moment of MOMENTS_UP) {
    const daemon = start(`up-${moment}`)
    await eventually(() => runtimeFile(daemon.dataDir), PATIENCE_MS, 1)
    await sleep(moment)
    wrong.push(await stopped(daemon, `${moment} ms after its runtime file`))
  }
  expect(wrong.filter(Boolean)).toEqual([])
  counted('signals: SIGTERMs', MOMENTS_UP.length)
})

test('writes the runtime file after startup recovery is recorded', async () => {
  machine.write('svc.yaml', 'sync: { mode: manual }\n')
  const first = machine.start()
  const { services } = await first.up()
  const spec = { name: 'ben', working_dir: machine.home, shell: 'bash', runtime: 'scripted' }
  const made = await request<AgentRecord>('POST', `${services.orchestrator}/agents`, spec)
  first.kill('SIGKILL')
  await first.ended
  await machine.endSessions()
  const second = machine.start()
  const up = await second.up()
  const found = await request<AgentRecord>('GET', `${up.services.orchestrator}/agents/${made.id}`)
  expect(found).toMatchObject({ status: 'failed', last_error: expect.stringContaining('session no longer existed') })
})

test('survives the removal of its working directory', async () => {
  const cwd = join(machine.home, 'started-here')
  mkdirSync(cwd)
  const daemon = machine.start({ cwd, dataDir: '../data' })
  await eventually(() => runtimeFile(machine.dataDir), PATIENCE_MS)
  rmSync(cwd, { recursive: true })
  machine.team('late')
  const { services } = runtimeFile(machine.dataDir)!
  await eventually(async () => {
    const agents = await request<AgentRecord[]>('GET', `${services.orchestrator}/agents`)
    return agents.length === 2 && agents.every((agent) => agent.status === 'running' && agent.connected)
  }, PATIENCE_MS)
  daemon.kill('SIGTERM')
  expect(await daemon.ended).toEqual({ code: 0, signal: null })
  expect(existsSync(cwd)).toBe(false)
})
