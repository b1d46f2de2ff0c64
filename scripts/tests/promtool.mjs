// `npm run test:all -- promtool`: runs `promtool check metrics` on each service.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeReady, root } from '../ready.mjs'

const PATIENCE_MS = 60_000

if (spawnSync('promtool', ['--version'], { stdio: 'ignore' }).error) {
  console.error('error: promtool is not installed\nhint: apt-get install --no-install-recommends prometheus (23 MB)')
  process.exit(1)
}
makeReady()

const home = mkdtempSync(join(tmpdir(), 'svc-promtool-'))
const manifests = join(home, 'manifests')
const muxSocket = `svc-promtool-${process.pid}`
mkdirSync(manifests)
const names = [
  'orchestrator',
  'controller',
  'communicate',
  'notify',
  'wrap',
  'ask',
  'monitor',
  'docstore',
  'index',
  'conductor',
]
const daemon = spawn(join(root, 'bin', 'svc'), ['serve', '--manifests', manifests], {
  env: {
    PATH: process.env.PATH,
    HOME: home,
    SVC_DATA_DIR: join(home, 'data'),
    SVC_MUX_SOCKET: muxSocket,
    SVC_USER_MUX_SOCKET: `${muxSocket}-user`,
    ...Object.fromEntries(names.map((name) => [`SVC_${name.toUpperCase()}_PORT`, '0'])),
  },
  stdio: 'ignore',
})

/** Retries until `look` returns a value; null on time-out. */
async function eventually(look) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) {
    const found = await Promise.resolve()
      .then(look)
      .catch(() => null)
    if (found) return found
  }
  return null
}

async function post(url, body) {
  const headers = { 'content-type': 'application/json', 'x-svc-actor': 'operator' }
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`POST ${url} answered ${reply.status}: ${await reply.text()}`)
}

/** Labelled samples appear only after use. */
async function use({ orchestrator, communicate, notify, monitor }) {
  await post(`${orchestrator}/agents`, { name: 'scribe', runtime: 'scripted', shell: 'bash', working_dir: home })
  await post(`${communicate}/rooms`, { name: 'lobby', created_by: 'operator' })
  await post(`${communicate}/rooms/lobby/messages`, { sender_id: 'operator', content: 'Hello' })
  const about = { source: 'System', lifetime: 'Persistent', priority: 'Low', requires_response: false }
  await post(`${notify}/notifications`, { ...about, title: 'Deployed', message: 'Version 1.4 is out' })
  const agents = () => fetch(`${monitor}/agents`).then((reply) => reply.json())
  await eventually(async () => {
    await post(`${monitor}/collect`)
    return (await agents()).length > 0
  })
}

/** The monitor's /metrics returns JSON. */
async function exposition(url) {
  for (const path of ['/metrics', '/prom-metrics']) {
    const reply = await fetch(url + path)
    if ((reply.headers.get('content-type') ?? '').startsWith('text/plain')) return reply.text()
  }
  throw new Error(`${url} has no text exposition`)
}

async function check() {
  const file = join(home, 'data', 'runtime.json')
  const runtime = await eventually(() => existsSync(file) && JSON.parse(readFileSync(file, 'utf8')))
  if (!runtime) throw new Error('the daemon did not start')
  await use(runtime.services)
  let refused = 0
  for (const [name, url] of Object.entries(runtime.services)) {
    const text = await exposition(url)
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    // With advice only, promtool exits with 3.
    const isFine = status === 0 && `${stdout}${stderr}`.trim() === ''
    if (!isFine) refused++
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length
    console.log(`${name}: ${samples} samples ${isFine ? 'accepted' : `refused:\n${stdout}${stderr}`}`)
  }
  return refused
}

try {
  process.exitCode = (await check()) === 0 ? 0 : 1
} finally {
  const ended = once(daemon, 'exit')
  daemon.kill('SIGTERM')
  await ended
  for (const socket of [muxSocket, `${muxSocket}-user`])
    spawnSync('tmux', ['-L', socket, 'kill-server'], { stdio: 'ignore' })
  rmSync(home, { recursive: true, force: true })
}
