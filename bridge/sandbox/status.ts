import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs'

/**
 * The output of `--json-status-fd`, in a file without a name: with a pipe, the end of the bridge would end bwrap before
 * its first process inside may go on, which would then wait forever.
 */
export class SandboxStatus {
  readonly descriptor: number
  #text = ''

  constructor(path: string) {
    rmSync(path, { force: true })
    this.descriptor = openSync(path, 'wx+', 0o600)
    rmSync(path)
  }

  /** The first process of the sandbox, as seen from outside; null until bwrap has made it. */
  get childPid(): number | null {
    return this.#number(/"child-pid": (\d+)/)
  }

  /** Of the program; null if bwrap ended first. */
  get exitCode(): number | null {
    return this.#number(/"exit-code": (\d+)/)
  }

  /** Keeps what was read. */
  close(): void {
    this.#read()
    closeSync(this.descriptor)
    this.#read = () => {}
  }

  #number(pattern: RegExp): number | null {
    this.#read()
    const found = pattern.exec(this.#text)
    return found ? Number(found[1]) : null
  }

  #read = (): void => {
    const content = Buffer.alloc(fstatSync(this.descriptor).size)
    this.#text = content.toString('utf8', 0, readSync(this.descriptor, content, 0, content.length, 0))
  }
}
