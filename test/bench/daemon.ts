// A daemon of its own process, as `svc serve` starts it, on free ports and a data folder of its own.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RunningDaemon {
  process: ChildProcess
  controller: string
  orchestrator: string
  home: string
  /** GET and parse; throws on an error status. */
  get<T = any>(url: string): Promise<T>
  send<T = any>(method: string, url: string, body?: unknown): Promise<T>
  close(): Promise<void>
}

/** Starts it on `prepare`'s folder of manifests and waits until it answers. */
export async function startDaemonProcess(prepare: (folder: string) => void): Promise<RunningDaemon> {
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const folder = join(home, 'manifests')
  prepare(folder)
  const env = {
    ...process.env,
    SVC_DATA_DIR: join(home, 'data'),
    SVC_CONTROLLER_PORT: '0',
    SVC_ORCHESTRATOR_PORT: '0',
    SVC_MUX_SOCKET: `svc-bench-${process.pid}`,
    SVC_LOG_LEVEL: 'warn',
  }
  const child = spawn('bin/svc', ['serve', '--manifests', folder], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const services = await runtimeServices(join(home, 'data', 'runtime.json'), child)
  const send = async (method: string, url: string, body?: unknown) => {
    const response = await fetch(url, {
      method,
      headers: { 'X-Svc-Actor': 'bench', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? null : ((await response.json()) as any)
  }
  return {
    process: child,
    controller: services.controller!,
    orchestrator: services.orchestrator!,
    home,
    get: (url) => send('GET', url),
    send,
    close: async () => {
      await send('POST', `${services.controller}/shutdown`, { agents: true })
      if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function runtimeServices(file: string, child: ChildProcess): Promise<Record<string, string>> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the daemon ended with exit code ${child.exitCode}`)
    try {
      return JSON.parse(readFileSync(file, 'utf8')).services
    } catch {
      await sleep(20)
    }
  }
}

/** Polls until `look` holds. */
export async function until(what: string, look: () => Promise<boolean>, withinMs = 300_000): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${withinMs} ms`)
    await sleep(100)
  }
}
