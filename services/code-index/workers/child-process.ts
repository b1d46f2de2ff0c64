// Runs a worker as a process that exits with its parent.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Peer } from './rpc.ts'

const LAST_WORDS = 4000

interface Started {
  program: string
  args: string[]
  env: Record<string, string>
  /** Of node. */
  options?: string[]
}

/**
 * The child gets `env` only, nothing of the parent's environment. Its standard input is empty, and closes when the
 * parent ends.
 */
export function startProcess({ program, args, env, options = [] }: Started): Peer {
  const stdio = ['pipe', 'ignore', 'pipe', 'ipc'] as const
  const child = fork(program, args, { env, execArgv: options, serialization: 'advanced', stdio: [...stdio] })
  return new ProcessPeer(child)
}

class ProcessPeer implements Peer {
  readonly #child: ChildProcess
  #said = ''
  #isEnded = false

  constructor(child: ChildProcess) {
    this.#child = child
    child
      .stderr!.setEncoding('utf8')
      .on('data', (text: string) => (this.#said = (this.#said + text).slice(-LAST_WORDS)))
    child.once('exit', () => (this.#isEnded = true))
  }

  postMessage(message: unknown): void {
    // Send errors are ignored: `close` reports an exited process.
    this.#child.send(message as object, () => undefined)
  }

  on(event: 'message' | 'error' | 'exit', heard: (value: any) => void): this {
    if (event === 'message') this.#child.on('message', heard)
    if (event === 'error') {
      this.#child.on('error', heard)
      this.#child.on('close', (code, signal) => heard(new Error(`${signal ?? `status ${code}`}; ${this.#said.trim()}`)))
    }
    if (event === 'exit') this.#child.on('close', heard)
    return this
  }

  unref(): void {
    this.#child.unref()
    this.#child.channel?.unref()
    for (const stream of [this.#child.stdin, this.#child.stderr])
      if (stream && 'unref' in stream) (stream as unknown as { unref(): void }).unref()
  }

  async terminate(): Promise<void> {
    if (this.#isEnded) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}
