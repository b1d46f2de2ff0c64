import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RuntimeFile } from '../../../schemas/access/runtime-file.ts'
import { bin } from '../../support/built.ts'
import { eventually } from '../../support/eventually.ts'
import { noForge, portsAt } from '../../support/ports.ts'
import { root } from '../../support/root.ts'
import { endTmuxServer, panesOf, tmuxSocket } from '../../support/tmux-server.ts'

/** A busy machine starts many processes at once. */
export const PATIENCE_MS = 60_000

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

export class DaemonProcess {
  readonly child: ChildProcess
  readonly dataDir: string
  readonly ended: Promise<Ended>
  output = ''
  hasEnded = false

  constructor(child: ChildProcess, dataDir: string) {
    this.child = child
    this.dataDir = dataDir
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text))
    this.ended = new Promise((resolve) =>
      child.once('close', (code, signal) => {
        this.hasEnded = true
        resolve({ code, signal })
      }),
    )
  }

  get pid(): number {
    return this.child.pid!
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }

  /** Throws if the process ended before. */
  async up(): Promise<RuntimeFile> {
    const runtime = await eventually(() => {
      if (this.hasEnded) return 'ended'
      const present = runtimeFile(this.dataDir)
      return present?.pid === this.pid && present
    }, PATIENCE_MS)
    if (runtime === 'ended') throw new Error(`the daemon ended: ${this.output}`)
    return runtime
  }
}

export function runtimeFile(dataDir: string): RuntimeFile | null {
  const file = join(dataDir, 'runtime.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RuntimeFile) : null
}

export interface StartOptions {
  dataDir?: string
  env?: Record<string, string>
  cwd?: string
}

/** A home with a watched folder and a tmux server; `close` ends every daemon. */
export class Machine {
  readonly home = mkdtempSync(join(tmpdir(), 'svc-attack-'))
  readonly manifests = join(this.home, 'manifests')
  readonly dataDir = join(this.home, 'data')
  readonly muxSocket = tmuxSocket()
  readonly #started: DaemonProcess[] = []

  constructor() {
    mkdirSync(this.manifests)
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.manifests, path)), { recursive: true })
    writeFileSync(join(this.manifests, path), text)
  }

  team(...names: string[]): void {
    for (const name of names)
      this.write(`agents/${name}.yml`, `name: ${name}\nworking_dir: ${this.home}\nshell: bash\nruntime: scripted\n`)
  }

  start({ dataDir = this.dataDir, env = {}, cwd = root }: StartOptions = {}): DaemonProcess {
    const child = spawn(bin('svc'), ['serve', '--manifests', this.manifests], {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: this.home,
        SVC_DATA_DIR: dataDir,
        SVC_MUX_SOCKET: this.muxSocket,
        ...portsAt(0),
        ...noForge,
        ...env,
      },
    })
    const daemon = new DaemonProcess(child, dataDir)
    this.#started.push(daemon)
    return daemon
  }

  /** Maps sessions to the process in their pane. */
  panes(): Promise<Record<string, string>> {
    return panesOf(this.muxSocket)
  }

  async endSessions(): Promise<void> {
    await endTmuxServer(this.muxSocket)
  }

  async close(): Promise<void> {
    for (const daemon of this.#started) if (!daemon.hasEnded) daemon.kill('SIGKILL')
    await Promise.all(this.#started.map((daemon) => daemon.ended))
    await this.endSessions()
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 })
  }
}
