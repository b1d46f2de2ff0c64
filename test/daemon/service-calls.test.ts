// Calls between services with SVC_AUTH=on, without a token for the services.
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { services } from '../../daemon/services.ts'
import { bin } from '../support/built.ts'
import { sqliteDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { noForge, ownPorts } from '../support/ports.ts'
import { startServices, type ServiceStand } from '../support/services.ts'
import { endTmuxServer, tmuxSocket } from '../support/tmux-server.ts'
import { ADA, ALERTING, CALLS, callsInCode, GuardedServices, writeManifests } from './service-calls.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 })

const home = mkdtempSync(join(tmpdir(), 'svc-calls-'))
const tokensFile = join(home, 'tokens.json')
const sha256 = createHash('sha256').update(ADA).digest('hex')
writeFileSync(tokensFile, JSON.stringify([{ subject: 'ada', role: 'admin', sha256 }]))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const guarded = { SVC_AUTH: 'on', SVC_TOKENS_FILE: tokensFile, SHELL: '/bin/sh', ...ALERTING }

test('makes every call that the code of the services makes', () => {
  expect(callsInCode()).toEqual(Object.keys(CALLS))
})

function makesEveryCall(system: () => GuardedServices): void {
  test.each(Object.entries(CALLS))('makes the call %s', async (_, call) => {
    await call(system())
  })

  test('refuses none of its own calls', async () => {
    expect(await system().refusals()).toEqual([])
  })
}

describe('a daemon with SVC_AUTH=on', () => {
  let stand: ServiceStand
  let remove: () => Promise<void>
  let system: GuardedServices
  beforeAll(async () => {
    const database = await sqliteDatabase()
    remove = database.remove
    const directory = join(home, 'manifests')
    writeManifests(directory)
    stand = await startServices(services({ sources: [{ name: 'default', directory }] }), {
      url: database.url,
      env: guarded,
    })
    system = new GuardedServices(stand.host.urls)
    await system.createTeam(home)
  })
  afterAll(async () => {
    await stand.close()
    await endTmuxServer(stand.muxSocket)
    await remove()
  })

  makesEveryCall(() => system)
})

describe('services in separate processes with SVC_AUTH=on and one service token file', () => {
  const socket = tmuxSocket()
  const processes: ChildProcess[] = []
  let system: GuardedServices

  async function serve(names: string[], env: Record<string, string>, url: string): Promise<void> {
    const manifests = join(home, 'manifests-of-processes')
    writeManifests(manifests)
    const child = spawn(bin('svc'), ['serve', ...names, '--manifests', manifests], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...env, SVC_DATA_DIR: join(home, `data-${processes.length}`) },
    })
    processes.push(child)
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`${names.join()} ended: ${said}`)
      return (await fetch(`${url}/health`)).ok
    })
  }

  beforeAll(async () => {
    const alone = ['communicate', 'docstore', 'notify', 'wrap', 'ask', 'monitor', 'conductor']
    const ports = (await ownPorts(alone.length + 2)) as [number, number, ...number[]]
    const [orchestrator, controller, ...others] = ports.map((port) => `http://127.0.0.1:${port}`)
    const urls: Record<string, string> = { orchestrator: orchestrator!, controller: controller! }
    for (const [at, name] of alone.entries()) urls[name] = others[at]!
    const addresses = Object.entries(urls).map(([name, url]) => [`SVC_${name.toUpperCase()}_URL`, url])
    const common = {
      PATH: process.env.PATH!,
      HOME: home,
      ...guarded,
      ...noForge,
      SVC_SERVICE_TOKEN_FILE: join(home, 'service-token'),
      SVC_MUX_SOCKET: socket,
      SVC_USER_MUX_SOCKET: `${socket}-user`,
      ...Object.fromEntries(addresses),
    }
    const portOf = (name: string) => ({ [`SVC_${name.toUpperCase()}_PORT`]: new URL(urls[name]!).port })
    for (const name of alone) await serve([name], { ...common, ...portOf(name) }, urls[name]!)
    // The controller needs these in its process; calls go to the addresses above.
    const core = ['orchestrator', 'communicate', 'docstore', 'index', 'controller', 'gateway']
    const any = { SVC_COMMUNICATE_PORT: '0', SVC_DOCSTORE_PORT: '0', SVC_INDEX_PORT: '0' }
    await serve(core, { ...common, ...any, ...portOf('orchestrator'), ...portOf('controller') }, urls.controller!)
    system = new GuardedServices({ ...urls, gateway: `${urls.controller!}/api` })
    await system.createTeam(home)
  })
  afterAll(async () => {
    for (const child of processes.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    for (const name of [socket, `${socket}-user`]) await endTmuxServer(name)
  })

  makesEveryCall(() => system)
})
