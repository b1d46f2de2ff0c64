// Runs a program that needs no socket of ours in the agent's own terminal: interactive agents, and runtime `socket`.
import { spawn } from 'node:child_process'
import { checkStart, waitForExit } from './program.ts'
import { realTimers } from './timers.ts'

const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']

/** The terminal sends these to the program itself; passed on once more they would count twice. */
const FROM_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

/** Resolves with the program's exit code, 128 + n for signal n. Throws a LaunchFault when it cannot start. */
export async function runInTerminal(
  command: readonly string[],
  directory: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  checkStart(command, directory)
  const [program, ...args] = command as [string, ...string[]]
  // Listened to before there is a program, so that no signal ends the bridge alone.
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      if (!(process.stdin.isTTY && FROM_TERMINAL.includes(signal))) child.kill(signal)
    })
  }
  const child = spawn(program, args, { cwd: directory, env, stdio: 'inherit' })
  return waitForExit(child, program, realTimers)
}
