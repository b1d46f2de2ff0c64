// `agent orchestrator attach` in a real terminal.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'
import { root } from '../support/root.ts'
import { clientsOf } from '../support/tmux-server.ts'

const run = promisify(execFile)

let stand: DaemonStand
let planner: AgentRecord
/** The user's tmux server. */
let own: string
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
  planner = await newAgent('planner')
  await stand.connected()
  own = `${stand.muxSocket}-person`
  await tmux('new-session', '-d', '-s', 'shell', '-x', '140', '-y', '24', 'env', ...environment(), 'sh')
})
afterAll(async () => {
  await tmux('kill-server').catch(() => undefined)
  await stand.close()
})

const newAgent = (name: string) =>
  request<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
    name,
    working_dir: stand.home,
    shell: 'bash',
    runtime: 'scripted',
  })
const environment = () =>
  Object.entries({ ...stand.env, PATH: `${root}/bin:${stand.env.PATH}` }).map(([k, v]) => `${k}=${v}`)
const tmux = async (...args: string[]) => (await run('tmux', ['-L', own, '-f', '/dev/null', ...args])).stdout
const screen = () => tmux('capture-pane', '-p', '-t', 'shell')
const type = (line: string) => tmux('send-keys', '-t', 'shell', line, 'Enter')
const press = (key: string) => tmux('send-keys', '-t', 'shell', key)
const shows = (pattern: RegExp) => eventually(async () => pattern.test(await screen()))

/** Pid of the program in the agent's pane. */
const program = async () => (await stand.panes())[planner.mux_session]

test('attaches read-only to a driven agent, with a banner', async () => {
  const before = await program()
  await type('agent orchestrator attach planner')
  await shows(/read-only: keys are not sent to planner; Ctrl-b d detaches/)
  await press('C-c')
  await press('C-d')
  await press('C-b')
  await press('d')
  await shows(/\[detached/)
  expect(await program()).toBe(before)
  expect((await stand.agentNamed('planner')).connected).toBe(true)
})

test('asks before --write and cancels on no', async () => {
  await tmux('send-keys', '-t', 'shell', 'clear', 'Enter')
  await type('agent orchestrator attach planner --write')
  await shows(/Every key is sent to the program of planner.*\[y\/N\]/s)
  await type('n')
  await shows(/error: cancelled: the answer was not yes/)
  await type('clear; agent orchestrator attach planner --write')
  await shows(/\[y\/N\]/)
  await type('y')
  await eventually(async () => (await clientsOf(stand.muxSocket)).length > 0)
  expect(await clientsOf(stand.muxSocket)).toEqual([`${planner.mux_session} 0`])
  await press('C-b')
  await press('d')
  await shows(/\[detached/)
})

test('prints the session on the daemon’s socket, or how to start it', async () => {
  const { stdout } = await stand.agent(['orchestrator', 'attach', 'planner', '--print', '--write'])
  expect(stdout).toBe(`tmux -L ${stand.muxSocket} attach -t =${planner.mux_session}\n`)
  const looking = await stand.agent(['orchestrator', 'attach', 'planner', '--print'])
  expect(looking.stdout).toContain(`attach -r -t =${planner.mux_session} ';' display-message -d 0 'read-only:`)
  const asked = await stand.agent(['orchestrator', 'attach', 'planner', '--write'])
  expect([asked.code, asked.stderr]).toEqual([64, expect.stringContaining('confirmation required')])
  const { id } = await newAgent('absent')
  await request('DELETE', `${stand.orchestrator}/agents/${id}`)
  const { code, stderr } = await stand.agent(['orchestrator', 'attach', 'absent'])
  expect([code, stderr]).toEqual([
    1,
    'error: agent absent is stopped and has no terminal\nhint: start it with: agent orchestrator restart-agent absent\n',
  ])
})
