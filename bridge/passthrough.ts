// Runs interactive agents and runtime `socket` in the agent's own terminal.
import { spawn } from 'node:child_process'
import { checkStart, waitForExit } from './program.ts'
import { realTimers } from './timers.ts'

const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']

/** The terminal already sends these to the program. */
const FROM_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

/** Resolves like waitForExit(). Throws a LaunchFault if the program cannot start. */
export async function runInTerminal(
  command: readonly string[],
  directory: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  checkStart(command, directory)
  const [program, ...args] = command as [string, ...string[]]
  // Registered before the program starts, so that no signal ends only the bridge.
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      if (!(process.stdin.isTTY && FROM_TERMINAL.includes(signal))) child.kill(signal)
    })
  }
  const child = spawn(program, args, { cwd: directory, env, stdio: 'inherit' })
  return waitForExit(child, program, realTimers)
}
