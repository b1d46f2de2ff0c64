// Starts scripted agents. Floor: the same program in `tmux new-session`.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { WebSocket, WebSocketServer } from 'ws'
import { DaemonStand } from '../support/daemon.ts'
import { request } from '../support/http.ts'
import { compare, medians, timed } from './report.ts'

const ROUNDS = 11
const BRIDGE = resolve('dist/svc-agent.js')
// Node reads this file at every start, and the daemon runs without it.
delete process.env.NODE_EXTRA_CA_CERTS
const socket = `svc-bench-bare-${process.pid}`
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-bare-'))

const server = createServer().listen(0, '127.0.0.1')
await new Promise((done) => server.once('listening', done))
const sockets = new WebSocketServer({ server })
const port = (server.address() as AddressInfo).port

async function bareStart(round: number): Promise<void> {
  const launch = {
    agent_id: `bare-${round}`,
    agent_name: 'bare',
    url: `ws://127.0.0.1:${port}/ws/bare`,
    orchestrator_url: `http://127.0.0.1:${port}`,
    tools_url: `http://127.0.0.1:${port}/mcp`,
    tools_token: 'unasked',
    token: 'none',
    runtime: 'scripted',
    interactive: false,
    command: [],
    directory: folder,
    additional_dirs: [],
    env: {},
    model: null,
    system_prompt: null,
    resume_session: null,
    sandbox: null,
  }
  const file = join(folder, `launch-${round}.json`)
  writeFileSync(file, JSON.stringify(launch), { mode: 0o600 })
  const connected = new Promise((done) => sockets.once('connection', done))
  await promisify(execFile)('tmux', [
    '-L',
    socket,
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-s',
    `bare-${round}`,
    process.execPath,
    BRIDGE,
    '--launch',
    file,
  ])
  await connected
}

const daemon = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
await daemon.start()

async function started(round: number): Promise<void> {
  const agent = await request('POST', `${daemon.orchestrator}/agents`, {
    name: `ours-${round}`,
    working_dir: folder,
    shell: 'bash',
    runtime: 'scripted',
    sandbox: 'off',
  })
  if (agent.connected) return
  await connection(agent.id)
}

/** Also asks once the stream is open, because the frame may have been sent before. */
async function connection(id: string): Promise<void> {
  const stream = new WebSocket(`${daemon.orchestrator.replace('http', 'ws')}/stream/${id}`)
  await new Promise<void>((done, fail) => {
    const ask = async () => (await daemon.get(`${daemon.orchestrator}/agents/${id}`)).connected && done()
    stream.on('open', () => void ask().catch(fail))
    stream.on('message', () => void ask().catch(fail))
    stream.on('error', fail)
  })
  stream.close()
}

let round = 0
const figures = await medians(ROUNDS, {
  ours: () => timed(() => started(round++)),
  floor: () => timed(() => bareStart(round++)),
})
compare({ what: 'POST /agents until a scripted agent is connected', ...figures, unit: 'ms', bound: 3 })
execFileSync('tmux', ['-L', socket, 'kill-server'])
for (const client of sockets.clients) client.terminate()
server.close()
rmSync(folder, { recursive: true, force: true })
await daemon.close()
