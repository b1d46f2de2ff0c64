// A daemon in a process of its own, as a user starts it: fixed ports, its own tmux server, a git repository with a copy of `manifests/`.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import type { AgentRecord, MessageReply } from '../../schemas/agent.ts'
import type { Plan } from '../../schemas/plan.ts'
import type { Resource } from '../../schemas/resource.ts'
import { eventually } from '../support/eventually.ts'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')
const run = promisify(execFile)
const STOPS_WITHIN_MS = 10_000

interface Answer<T> {
  status: number
  body: T
}
interface Result {
  code: number
  stdout: string
  stderr: string
}
/** One frame of /stream. */
interface Frame {
  agent_id: string
  type: string
  content: unknown
}

export type Stage = Awaited<ReturnType<typeof createStage>>

/** Everything a daemon needs around it. `close` ends daemon, sessions and files, whatever state they are in. */
export async function createStage(more: Record<string, string> = {}) {
  if (!existsSync(join(root, 'dist', 'svc.js'))) await run(process.execPath, ['scripts/build.mjs'], { cwd: root })
  const home = mkdtempSync(join(tmpdir(), 'svc-main-job-'))
  const project = join(home, 'project')
  const manifests = join(project, 'manifests')
  cpSync(join(root, 'manifests'), manifests, { recursive: true })
  await run('git', ['init', '--quiet', project])
  const [controllerPort, orchestratorPort] = await freePorts()
  const socket = `svc-main-${process.pid}-${Math.random().toString(36).slice(2)}`
  const env: Record<string, string> = {
    PATH: process.env.PATH!,
    HOME: home,
    SVC_DATA_DIR: join(home, 'data'),
    SVC_MUX_SOCKET: socket,
    SVC_CONTROLLER_PORT: String(controllerPort),
    SVC_ORCHESTRATOR_PORT: String(orchestratorPort),
    SVC_ACTOR: 'tester',
    ...more,
  }
  const controller = `http://127.0.0.1:${controllerPort}`
  const orchestrator = `http://127.0.0.1:${orchestratorPort}`
  let daemon: ChildProcess | null = null
  let output = ''

  /** Resolves when this very process answers, before its first pass is over. */
  async function start(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['dist/svc.js', 'serve', '--manifests', manifests], { cwd: root, env })
    daemon = child
    output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    await eventually(() => {
      if (child.exitCode !== null) throw new Error(`the daemon ended: ${output}`)
      return existsSync(join(home, 'data', 'runtime.json')) && runtimeFile().pid === child.pid
    }, 30_000)
    return child
  }
  const runtimeFile = (): { pid: number } => JSON.parse(readFileSync(join(home, 'data', 'runtime.json'), 'utf8'))

  /** Starts, and waits until the plan is empty and every agent is connected. */
  async function startReady(): Promise<void> {
    await start()
    await settled()
    await eventually(
      async () => (await ask<AgentRecord[]>('GET', `${orchestrator}/agents`)).body.every((agent) => agent.connected),
      30_000,
    )
  }

  /** Everything Ready, and a plan with nothing in it. */
  async function settled(withinMs = 30_000): Promise<void> {
    await eventually(async () => {
      const resources = (await ask<Resource[]>('GET', `${controller}/resources`)).body
      const unready = resources.filter(
        (each) => !each.conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
      )
      const { steps } = await plan()
      if (resources.length === 0 || unready.length > 0 || steps.length > 0)
        throw new Error(`not settled: ${JSON.stringify({ unready, steps })}`)
      return true
    }, withinMs)
  }
  const plan = async () => (await ask<Plan>('POST', `${controller}/plan`, { source: 'default' })).body

  const command = (name: 'svc' | 'agent', ...args: string[]): Promise<Result> =>
    run(join(root, 'bin', name), args, { cwd: home, env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        stdout: error.stdout,
        stderr: error.stderr,
      }),
    )

  /** Session name to the process id in its pane. */
  async function panes(): Promise<Record<string, string>> {
    const { stdout } = await run('tmux', ['-L', socket, 'list-panes', '-a', '-F', '#{session_name} #{pane_pid}']).catch(
      () => ({ stdout: '' }),
    )
    const pairs = stdout.split('\n').filter(Boolean)
    return Object.fromEntries(pairs.map((line) => line.split(' ') as [string, string]))
  }

  /** Throws when the daemon took longer than it may to stop; all is tidied up even then. */
  async function close(): Promise<void> {
    for (const stream of streams) stream.terminate()
    const late = await stopDaemon()
    await run('tmux', ['-L', socket, 'kill-server']).catch(() => undefined)
    rmSync(join(process.env.TMUX_TMPDIR ?? '/tmp', `tmux-${process.getuid!()}`, socket), { force: true })
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    if (late) throw new Error(`the daemon did not stop within ten seconds: ${output}`)
  }

  async function stopDaemon(): Promise<boolean> {
    if (daemon === null || daemon.exitCode !== null || daemon.signalCode !== null) return false
    const gone = once(daemon, 'exit')
    await ask('POST', `${controller}/shutdown`, { agents: true }).catch(() => daemon!.kill('SIGTERM'))
    const patience = setTimeout(() => daemon!.kill('SIGKILL'), STOPS_WITHIN_MS)
    const [, signal] = await gone
    clearTimeout(patience)
    return signal === 'SIGKILL'
  }

  const streams: WebSocket[] = []
  return {
    home,
    project,
    manifests,
    env,
    controller,
    orchestrator,
    start,
    startReady,
    settled,
    plan,
    panes,
    close,
    output: () => output,
    svc: (...args: string[]) => command('svc', ...args),
    agent: (...args: string[]) => command('agent', ...args),
    get: async <T>(url: string) => (await ask<T>('GET', url)).body,
    ask,
    /** Writes a manifest below the folder of the source, as an editor that saves in place. */
    write(path: string, text: string): void {
      mkdirSync(dirname(join(manifests, path)), { recursive: true })
      writeFileSync(join(manifests, path), text)
    },
    /** Resolves with its exit code; null when the signal itself ended it, as SIGKILL does. */
    async stopBy(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
      const gone = once(daemon!, 'exit')
      daemon!.kill(signal)
      return (await gone)[0] as number | null
    },
    agentNamed: async (name: string): Promise<AgentRecord> => {
      const { body } = await ask<AgentRecord[]>('GET', `${orchestrator}/agents`)
      return body.find((each) => each.name === name)!
    },
    send: (id: string, content: string) =>
      ask<MessageReply>('POST', `${orchestrator}/agents/${id}/message`, { content }),
    /** Frames of every agent from now on. */
    async listen(): Promise<Frame[]> {
      const stream = new WebSocket(`${orchestrator.replace('http', 'ws')}/stream`)
      streams.push(stream)
      const frames: Frame[] = []
      stream.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as Frame))
      await once(stream, 'open')
      return frames
    },
  }
}

async function ask<T>(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'x-svc-actor': 'tester',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T }
}

/** Fixed ones, because living agents dial the port of the daemon that started them. */
async function freePorts(): Promise<[number, number]> {
  const held = await Promise.all(
    [0, 1].map(
      () =>
        new Promise<Server>(
          (done) =>
            void createServer().listen(0, '127.0.0.1', function (this: Server) {
              done(this)
            }),
        ),
    ),
  )
  const ports = held.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(held.map((server) => new Promise((done) => server.close(done))))
  return [ports[0]!, ports[1]!]
}
