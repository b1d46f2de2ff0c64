// One client of tmux that stays, in control mode: a command is a line to it, where a process a command costs a daemon of
// hundreds of MB a stop of its event loop for each. It holds a session of its own, without a program, which ends with it.
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { asArguments, asLine, type Answer, type Commands } from './commands.ts'

/** Begins the names of sessions that are nobody's but a client's of ours. */
const OWN_SESSION = 'svc-control-'

export const isControlSession = (name: string): boolean => name.startsWith(OWN_SESSION)

/** What follows `%begin`, `%end` and `%error`: time, number, and 1 for an answer to a line of ours. */
const GUARD = /^%(begin|end|error) (\d+ \d+) (\d+)$/

/** What it was started with is answered with the one, a line to it with the other. */
const [FROM_START, FROM_LINE] = ['0', '1']

/** A client that says nothing by then is given up, in milliseconds. */
const OPENS_WITHIN_MS = 10_000

/** What one command printed, until its end. */
interface Block {
  id: string
  flags: string
  lines: string[]
}

interface Waiting {
  flags: string
  /** Blocks still to come; one that failed is the last. */
  left: number
  stdout: string
  resolve(answer: Answer | null): void
}

export class ControlClient {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #waiting: Waiting[] = []
  readonly #ended: Promise<void>
  #isOpen = true
  #block: Block | null = null
  /** The end of a line that has not come yet. */
  #rest = ''

  /** Starts a server where there is none. Null where tmux is missing, or would not have such a client. */
  static async open(socket: string, env: Readonly<Record<string, string>>): Promise<ControlClient | null> {
    const client = new ControlClient(socket, env)
    const late = setTimeout(() => client.#child.kill('SIGKILL'), OPENS_WITHIN_MS)
    const opened = await client.#answered(FROM_START, beginning().length)
    clearTimeout(late)
    if (opened && !opened.failed) return client
    await client.close()
    return null
  }

  private constructor(socket: string, env: Readonly<Record<string, string>>) {
    // Signals of the daemon's terminal are not for it, and nobody's process goes on because it does.
    this.#child = spawn('tmux', ['-L', socket, '-f', '/dev/null', '-u', '-C', ...asArguments(beginning())], {
      env: { ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    })
    this.#child.unref()
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', resolve).once('close', resolve)
    }).then(() => this.#end())
    this.#child.stdin.on('error', () => undefined)
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    this.#keepProcess(false)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Null where the client ended before the answer came: whether the commands were run is not known. */
  run(commands: Commands): Promise<Answer | null> {
    if (!this.#isOpen) return Promise.resolve(null)
    const answered = this.#answered(FROM_LINE, commands.length)
    this.#child.stdin.write(`${asLine(commands)}\n`)
    return answered
  }

  /** Its session goes with it, and the server where that was the last one. */
  async close(): Promise<void> {
    this.#child.ref()
    this.#keepProcess(true)
    this.#child.stdin.end()
    await this.#ended
  }

  /** Answers come in the order of what was asked. */
  #answered(flags: string, left: number): Promise<Answer | null> {
    this.#keepProcess(true)
    return new Promise((resolve) => this.#waiting.push({ flags, left, stdout: '', resolve }))
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop()!
    for (const line of lines) this.#take(line)
  }

  #take(line: string): void {
    const [, kind, id, flags] = GUARD.exec(line) ?? []
    if (this.#block === null) {
      // Between answers it tells what goes on in the server: nobody here asked.
      if (kind === 'begin') this.#block = { id: id!, flags: flags!, lines: [] }
    } else if (id !== this.#block.id || kind === 'begin') this.#block.lines.push(line)
    else this.#answer(kind === 'error', this.#block)
  }

  #answer(failed: boolean, { flags, lines }: Block): void {
    this.#block = null
    const asked = this.#waiting[0]
    if (asked?.flags !== flags) return
    const printed = lines.map((line) => `${line}\n`).join('')
    if (!failed) asked.stdout += printed
    asked.left--
    if (!failed && asked.left > 0) return
    this.#waiting.shift()
    if (this.#waiting.length === 0) this.#keepProcess(false)
    asked.resolve({ stdout: asked.stdout, stderr: failed ? printed : '', failed })
  }

  #end(): void {
    this.#isOpen = false
    for (const { resolve } of this.#waiting.splice(0)) resolve(null)
  }

  /** Whether our process stays while there is nothing else to do in it. */
  #keepProcess(stays: boolean): void {
    for (const pipe of [this.#child.stdin, this.#child.stdout] as unknown as Socket[]) pipe[stays ? 'ref' : 'unref']()
  }
}

/** The program of its pane ends at once: what is kept is a session, and no process. One word alone a shell would run. */
function beginning(): Commands {
  const name = `${OWN_SESSION}${process.pid}-${randomBytes(3).toString('hex')}`
  return [
    ['new-session', '-s', name, '-x', '80', '-y', '24', '--', 'true', 'without a shell'],
    ['set-option', '-w', 'remain-on-exit', 'on'],
    ['set-option', 'destroy-unattached', 'on'],
  ]
}
