import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eventually } from '../../support/eventually.ts'
import { root } from '../../support/root.ts'

const program = join(root, 'test', 'attack', 'identity', 'asker.mjs')
/** A user that every system has and that owns nothing. */
export const NOBODY = 65534

export interface HttpAsked {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string
  localAddress?: string
}

/** Starts askers. Their sockets are in a folder that every user can enter. */
export class Askers {
  readonly #folder = mkdtempSync(join(tmpdir(), 'svc-askers-'))
  readonly #children: ChildProcess[] = []
  readonly #prepared: Asker[] = []

  constructor() {
    chmodSync(this.#folder, 0o777)
  }

  /** Returns a command line for another process to start, and its asker. */
  prepare(): { command: string[]; asker: Asker } {
    const path = join(this.#folder, `${this.#prepared.length}.sock`)
    const asker = new Asker(path)
    this.#prepared.push(asker)
    return { command: [process.execPath, program, path], asker }
  }

  /** Default `uid`: the user of the test. */
  async start(options: { uid?: number; env?: Record<string, string> } = {}): Promise<Asker> {
    const { command, asker } = this.prepare()
    const child = spawn(command[0]!, command.slice(1), {
      stdio: ['pipe', 'ignore', 'inherit'],
      env: { PATH: process.env.PATH, ...options.env },
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    })
    this.#children.push(child)
    await asker.ready()
    return asker
  }

  async close(): Promise<void> {
    for (const child of this.#children) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    // Some have left the session that ended.
    await Promise.all(this.#prepared.map((each) => each.end()))
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

export class Asker {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  ready(): Promise<boolean> {
    return eventually(() => ((statSync(this.#path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777) === 0o777, 30_000)
  }

  http(asked: HttpAsked): Promise<{ status: number; text: string }> {
    return this.#request({ kind: 'http', ...asked })
  }

  leave(port: number, text: string, how: 'close' | 'reset'): Promise<unknown> {
    return this.#request({ kind: 'leave', port, text, how })
  }

  run(command: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    return this.#request({ kind: 'run', command })
  }

  env(): Promise<Record<string, string>> {
    return this.#request({ kind: 'env' })
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(this.#path, () => socket.write(`${JSON.stringify({ kind: 'end' })}\n`))
      socket.on('error', () => undefined)
      socket.on('close', () => resolve())
    })
  }

  async #request<T>(message: object): Promise<T> {
    const socket = connect(this.#path)
    socket.write(`${JSON.stringify(message)}\n`)
    try {
      const [line] = (await once(createInterface({ input: socket }), 'line')) as [string]
      return JSON.parse(line) as T
    } finally {
      socket.destroy()
    }
  }
}
