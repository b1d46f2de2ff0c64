// A program of every runtime tries to leave its sandbox, as the user of the daemon and as another.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { ATTEMPTS, Canaries, type HostUser, type Targets } from './canaries.ts'
import { homeOf, NOBODY, type NamedHome } from './named-home.ts'

const own = process.getuid!()
const asRoot = own === 0

let canaries: Canaries
let stand: DaemonStand
let targets: Targets
let names: NamedHome
let users: Record<string, HostUser>

beforeAll(async () => {
  canaries = await Canaries.create()
  const home = canaries.home('nobody', NOBODY)
  names = homeOf('nobody', NOBODY, home)
  users = { own: { uid: own, home: canaries.home('own', own) }, nobody: { uid: NOBODY, home } }
  stand = await DaemonStand.create({
    env: { PATH: names.path, HOME: users['own']!.home, SVC_KEY_FILE: canaries.keyFile },
  })
  await stand.start()
  targets = { tmuxSocket: join('/tmp', `tmux-${own}`, stand.muxSocket) }
}, 60_000)
afterAll(async () => {
  await stand?.close()
  await canaries?.close()
  names?.remove()
})

const RUNTIMES: Record<string, object> = {
  command: { runtime: 'command' },
  acp: { runtime: 'acp' },
  socket: { runtime: 'socket' },
  scripted: { runtime: 'scripted' },
  'claude-code': { runtime: 'claude-code' },
  'interactive claude-code': { runtime: 'claude-code', interactive: true },
  'interactive command': { runtime: 'command', interactive: true },
}

/** Starts an agent whose program makes every attempt. Returns its working directory after that. */
async function attempt(runtime: string, user: string, sandbox: unknown): Promise<string> {
  const name = `${runtime}-${user}-${sandbox === 'off' ? 'off' : 'on'}`.replaceAll(' ', '-')
  const directory = canaries.work(name, users[user]!, targets)
  const { body, status } = await stand.ask<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
    name,
    working_dir: directory,
    shell: 'bash',
    restart: 'never',
    sandbox,
    ...(runtime === 'scripted' ? {} : { command: [join(directory, 'escape.sh')] }),
    ...(user === 'own' ? {} : { user }),
    ...RUNTIMES[runtime],
  })
  expect([status, body]).toEqual([201, expect.objectContaining({ status: 'running', last_error: null })])
  expect(body.sandbox?.state).toBe(sandbox === 'off' ? 'off' : 'on')
  if (runtime === 'scripted') {
    await stand.connected()
    await stand.send(body.id, 'USE_TOOL Bash ./escape.sh')
  }
  try {
    await eventually(() => canaries.reported(directory), 60_000)
  } catch {
    const record = await stand.get(`${stand.orchestrator}/agents/${body.id}`)
    throw new Error(`the program did not report: ${JSON.stringify(record)}`)
  }
  return directory
}

afterEach(async () => {
  for (const { id } of await stand.agents()) await stand.ask('DELETE', `${stand.orchestrator}/agents/${id}`)
})

describe.each([['own'], ['nobody']])('as user %s', (user) => {
  test.each(Object.keys(RUNTIMES))('holds a program of runtime %s', async (runtime) => {
    if (user !== 'own' && !asRoot) return
    const directory = await attempt(runtime, user, 'on')
    const errors = readFileSync(join(directory, 'errors'), 'utf8')
    expect([canaries.reported(directory), canaries.found(directory)], errors).toEqual([[], []])
  })
})

test('loses every canary to the same program without a sandbox', async () => {
  const directory = await attempt('command', 'own', 'off')
  const expected = ATTEMPTS.filter((name) => asRoot || name !== 'kernel')
  expect(canaries.reported(directory)).toEqual(expected)
  expect(canaries.found(directory)).toEqual(expected)
})
