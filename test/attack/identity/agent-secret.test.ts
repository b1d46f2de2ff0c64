import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { Launch } from '../../../schemas/agent/launch.ts'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import { writeLaunchFile } from '../../../services/orchestrator/agents/launch-file.ts'
import { osUser } from '../../../services/orchestrator/agents/os-user.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { Askers, NOBODY, type Asker } from './asker.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const run = promisify(execFile)
const asRoot = process.getuid!() === 0

let stand: DaemonStand
const askers = new Askers()
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.start()
})
afterAll(async () => {
  await stand.close()
  await askers.close()
})

async function agentOf(name: string, more: object): Promise<{ id: string; asker: Asker }> {
  const { command, asker } = askers.prepare()
  const body = { name, working_dir: stand.home, shell: 'bash', command, ...more }
  const made = await stand.ask<AgentRecord>('POST', `${stand.orchestrator}/agents`, body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await asker.ready()
  return { id: made.body.id, asker }
}

test('passes the secret only to a program that opens the socket itself', async () => {
  const secrets: Record<string, boolean> = {}
  for (const [name, more] of Object.entries({
    socket: { runtime: 'socket' },
    command: { runtime: 'command' },
    interactive: { runtime: 'command', interactive: true },
    planted: { runtime: 'command', env: { SVC_AGENT_TOKEN: 'planted' } },
  })) {
    const { id, asker } = await agentOf(name, more)
    const env = await asker.env()
    expect(env).toMatchObject({ SVC_AGENT_ID: id, SVC_AGENT_NAME: name })
    secrets[name] = env.SVC_AGENT_TOKEN !== undefined
  }
  expect(secrets).toEqual({ socket: true, command: false, interactive: false, planted: false })
})

test('records and reports a replaced live connection until the agent restarts', async () => {
  const { id, asker } = await agentOf('twice', { runtime: 'socket' })
  const { SVC_AGENT_TOKEN: token, SVC_AGENT_WS_URL: url } = await asker.env()
  const frames: StreamFrame[] = await stand.listen(id)
  const dial = async () => {
    const socket = new WebSocket(url!, { headers: { authorization: `Bearer ${token}` } })
    let closed: number | null = null
    socket.on('close', (code) => (closed = code))
    await eventually(() => socket.readyState === WebSocket.OPEN)
    return { socket, closed: () => closed }
  }
  const record = () => stand.get<AgentRecord>(`${stand.orchestrator}/agents/${id}`)
  const first = await dial()
  expect((await record()).warnings).toEqual([])
  first.socket.close()
  await eventually(() => first.closed() !== null)
  await eventually(async () => !(await record()).connected)
  const second = await dial()
  expect((await record()).warnings).toEqual([])
  const third = await dial()
  await eventually(() => second.closed() === 4000)
  expect((await record()).warnings).toEqual([
    expect.stringMatching(/a second connection with its secret replaced an open one/),
  ])
  await eventually(() => frames.some(({ type }) => type === 'connection_replaced'))
  await eventually(() => /connection of the agent replaced an open one/.test(stand.output))
  const db = openDatabase(`sqlite:${join(stand.dataDir, 'svc.db')}`, { readOnly: true })
  const rows = await eventually(async () => {
    const found = await db('orchestrator_audit').where({ kind: 'connections', resource_id: id })
    return found.length > 0 && found
  })
  expect(rows).toEqual([expect.objectContaining({ field: 'replaced', actor: 'agent-socket' })])
  await db.destroy()
  await stand.ask('POST', `${stand.orchestrator}/agents/${id}/restart`)
  expect((await record()).warnings).toEqual([])
  third.socket.terminate()
})

describe('a launch file', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-launch-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const service = { config: { dataDir, env: process.env } } as unknown as Parameters<typeof writeLaunchFile>[0]
  const launch = { agent_id: 'a1', token: 'secret' } as Launch
  const readBy = (user: string, file: string) =>
    run('runuser', ['-u', user, '--', 'cat', file]).then(
      () => true,
      () => false,
    )

  test('is readable only by its owner, even in an open data folder', async () => {
    chmodSync(dataDir, 0o777)
    const own = await writeLaunchFile(service, launch, null)
    expect(statSync(own).mode & 0o777).toBe(0o600)
    expect(statSync(own).uid).toBe(process.getuid!())
    if (!asRoot) return
    expect(await readBy('nobody', own)).toBe(false)
    const user = await osUser('nobody', process.env)
    const theirs = await writeLaunchFile(service, launch, user)
    expect(statSync(theirs).mode & 0o777).toBe(0o600)
    expect(await readBy('nobody', theirs)).toBe(true)
    expect(await readBy('daemon', theirs)).toBe(false)
    rmSync(theirs)
  })

  test('does not follow a link or overwrite another user’s file', async () => {
    const target = join(dataDir, 'target')
    writeFileSync(target, 'kept')
    mkdirSync(join(dataDir, 'launch'), { recursive: true })
    symlinkSync(target, join(dataDir, 'launch', 'a2.json'))
    const file = await writeLaunchFile(service, { ...launch, agent_id: 'a2' }, null)
    expect([readFileSync(target, 'utf8'), statSync(file).mode & 0o777]).toEqual(['kept', 0o600])
  })

  test('is not written into a folder open to other users', async () => {
    const folder = join(dataDir, 'launch')
    chmodSync(folder, 0o777)
    await writeLaunchFile(service, launch, null)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    if (!asRoot) return
    chownSync(folder, NOBODY, NOBODY)
    await expect(writeLaunchFile(service, launch, null)).rejects.toThrow(
      /is not owned by the daemon \(owner uid 65534\)/,
    )
  })
})

test('shows no secret of an agent to all users', async () => {
  const canary = `canary-${randomUUID()}`
  const { id } = await agentOf('shown', { runtime: 'socket', env: { API_KEY: canary } })
  const shown = JSON.stringify(await stand.get(`${stand.orchestrator}/agents/${id}`))
  expect(shown).not.toContain(canary)
  const { stdout } = await run('ps', ['-eo', 'args'])
  expect(stdout).not.toContain(canary)
  const holders = await eventually(() => {
    const found = environments().filter((environment) => environment.includes(canary))
    return found.length > 0 && found
  })
  for (const environment of holders) expect(environment).toContain(`SVC_AGENT_ID=${id}\0`)
})

const environments = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/environ`, 'latin1')]
      } catch {
        return []
      }
    })
