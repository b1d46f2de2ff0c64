/** Reads the lines of `--json-status-fd`. */
export class SandboxStatus {
  /** The first process of the sandbox, as seen from outside. */
  childPid: number | null = null
  /** Of the program; null if bwrap ended first. */
  exitCode: number | null = null
  #text = ''

  take(chunk: string): void {
    const lines = (this.#text + chunk).split('\n')
    this.#text = lines.pop()!
    for (const line of lines) this.#read(line)
  }

  #read(line: string): void {
    const childPid = /"child-pid": (\d+)/.exec(line)
    const exitCode = /"exit-code": (\d+)/.exec(line)
    if (childPid) this.childPid = Number(childPid[1])
    if (exitCode) this.exitCode = Number(exitCode[1])
  }
}
