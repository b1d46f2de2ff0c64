// Attempts of a program to leave its sandbox, and what each of them would leave on the host.
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { visibleFolder } from '../../platform/sandbox/visible-folder.ts'

export interface HostUser {
  uid: number
  home: string
}

export const ATTEMPTS = ['key', 'secret', 'outside', 'kill', 'terminal', 'socket', 'kernel'] as const
export type Attempt = (typeof ATTEMPTS)[number]

const DIALS = `require('node:net').connect(process.argv[1]).on('connect', () => process.exit(0)).on('error', () => process.exit(1))`
/** Only root may give files to another user. */
const asRoot = process.getuid!() === 0
const SECRET = 'the-secret-of-a-person'

export interface Targets {
  tmuxSocket: string
}

/** What belongs to the host, outside the directories of agents. */
export class Canaries {
  readonly #visible = visibleFolder()
  readonly #outside = join(this.#visible.path, 'outside')
  readonly #socket = join(this.#visible.path, 'docker.sock')
  /** For the daemon. In a folder that is the same inside. */
  readonly keyFile = join(this.#visible.path, 'key')
  readonly #server: Server
  #connections = 0
  readonly #victims: ChildProcess[] = []

  private constructor() {
    mkdirSync(this.#outside)
    chmodSync(this.#outside, 0o777)
    this.#server = createServer((socket) => {
      this.#connections++
      socket.destroy()
    })
  }

  static async create(): Promise<Canaries> {
    const canaries = new Canaries()
    await once(canaries.#server.listen(canaries.#socket), 'listening')
    chmodSync(canaries.#socket, 0o777)
    return canaries
  }

  /** A home directory for a user that has none. */
  home(name: string, uid: number): string {
    return this.#folder(join('homes', name), uid)
  }

  /** A new working directory with a script that makes every attempt. Returns the directory. */
  work(name: string, { uid, home }: HostUser, { tmuxSocket }: Targets): string {
    const directory = this.#folder(name, uid)
    const secret = join(home, '.ssh', 'id')
    mkdirSync(dirname(secret), { recursive: true })
    writeFileSync(secret, SECRET)
    if (asRoot) for (const path of [dirname(secret), secret]) chownSync(path, uid, uid)
    const victim = spawn('sleep', ['1000'], { stdio: 'ignore', ...(asRoot && { uid, gid: uid }) })
    this.#victims.push(victim)
    const lines: Record<Attempt, string> = {
      key: `cat ${this.keyFile} > copy && [ -s copy ] && cat copy >> stolen`,
      secret: `cat ${secret} >> stolen`,
      outside: `touch ${join(this.#outside, name)}`,
      kill: `kill -9 ${victim.pid}`,
      terminal: `tmux -S ${tmuxSocket} run-shell 'touch ${join(this.#outside, `${name}-by-tmux`)}'`,
      socket: `'${process.execPath}' -e "${DIALS}" '${this.#socket}'`,
      // The value that it has, so that a success changes nothing.
      kernel: 'value=$(cat /proc/sys/vm/swappiness) && echo "$value" > /proc/sys/vm/swappiness',
    }
    const script = [
      // Of the version that the bridge knows.
      'case "$*" in *--version*) echo "2.1.329 (Claude Code)"; exit;; esac',
      `cd '${directory}'`,
      ...ATTEMPTS.map((name) => `if (${lines[name]}) 2>> errors; then echo ${name} >> done.part; fi`),
      'touch done.part; mv done.part done',
      'exec sleep 1000',
    ]
    writeFileSync(join(directory, 'escape.sh'), `#!/bin/sh\n${script.join('\n')}\n`)
    chmodSync(join(directory, 'escape.sh'), 0o755)
    return directory
  }

  /** Attempts that the program in the directory reported as done; null before it has made all. */
  reported(directory: string): string[] | null {
    const file = join(directory, 'done')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : null
  }

  /** What the attempts of all programs have left on the host since the last call. */
  found(directory: string): Attempt[] {
    const stolen = join(directory, 'stolen')
    const text = existsSync(stolen) ? readFileSync(stolen) : Buffer.alloc(0)
    const outside = readdirSync(this.#outside)
    const left: Record<Attempt, boolean> = {
      key: text.includes(readFileSync(this.keyFile)),
      secret: text.includes(SECRET),
      outside: outside.some((name) => !name.endsWith('-by-tmux')),
      kill: this.#victims.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null),
      terminal: outside.some((name) => name.endsWith('-by-tmux')),
      socket: this.#connections > 0,
      kernel: this.reported(directory)?.includes('kernel') ?? false,
    }
    for (const name of outside) rmSync(join(this.#outside, name))
    this.#connections = 0
    return ATTEMPTS.filter((name) => left[name])
  }

  async close(): Promise<void> {
    for (const victim of this.#victims) victim.kill('SIGKILL')
    await new Promise((resolve) => this.#server.close(resolve))
    this.#visible.remove()
  }

  #folder(name: string, uid: number): string {
    const path = join(this.#visible.path, name)
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o755)
    if (asRoot) chownSync(path, uid, uid)
    return path
  }
}
