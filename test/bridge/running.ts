import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Launch } from '../../schemas/agent/launch.ts'
import { bridgeProgram } from '../support/built.ts'
import { AgentServer } from './agent-server.ts'

/** Runs `cleanup` after the current test, in reverse order. */
export function afterwards(cleanup: () => unknown): void {
  // A hook of this module would run only for a worker's first file.
  onTestFinished(async () => void (await cleanup()))
}

export interface RunningBridge {
  child: ChildProcess
  pid: number
  directory: string
  readonly output: string
  /** Exit code or signal name. */
  exit: Promise<number | string>
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-agent-'))
  afterwards(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function agentServer(): Promise<AgentServer> {
  const server = await new AgentServer().start()
  afterwards(() => server.stop())
  return server
}

export function launchOf(server: { url: string }, directory: string, members: Partial<Launch> = {}): Launch {
  return {
    agent_id: 'agent-1',
    agent_name: 'worker',
    url: server.url,
    orchestrator_url: 'http://127.0.0.1:1',
    tools_url: 'http://127.0.0.1:2/mcp',
    token: 'secret-of-agent-1',
    tools_token: 'tools-of-agent-1',
    runtime: 'scripted',
    interactive: false,
    command: [],
    directory,
    additional_dirs: [],
    env: {},
    model: null,
    system_prompt: null,
    resume_session: null,
    sandbox: null,
    ...members,
  }
}

export async function startBridge(
  server: { url: string },
  members: Partial<Launch> = {},
  env: Record<string, string> = {},
): Promise<RunningBridge> {
  const folder = temporaryFolder()
  const directory = members.directory ?? join(folder, 'work')
  if (!members.directory) mkdirSync(directory)
  const file = join(folder, 'launch.json')
  writeFileSync(file, JSON.stringify(launchOf(server, directory, members)), { mode: 0o600 })
  return runBridge(['--launch', file], directory, env)
}

export async function runBridge(
  args: string[],
  directory: string,
  env: Record<string, string> = {},
): Promise<RunningBridge> {
  const child = spawn(process.execPath, [bridgeProgram, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exit = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(signal ?? code!)),
  )
  afterwards(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    // SIGTERM first, so that the program has ended before its folder is removed.
    const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
    child.kill('SIGTERM')
    await once(child, 'exit')
    clearTimeout(force)
  })
  return {
    child,
    pid: child.pid!,
    directory,
    exit,
    get output() {
      return output
    },
  }
}
