// Whether a process of this machine runs.

/** Also one of another user, which may not be signalled. False for what is no process id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
