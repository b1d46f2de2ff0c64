// Runs interactive agents and runtime `socket` in the agent's own terminal.
import { checkStart } from './program.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { spawnProgram } from './sandbox/start.ts'
import { realTimers as timers } from './timers.ts'

const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']

/** The terminal already sends these to the program. */
const FROM_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

/** Resolves with the exit code. Throws a LaunchFault if the program cannot start. */
export async function runInTerminal(
  command: readonly string[],
  directory: string,
  env: NodeJS.ProcessEnv,
  sandbox: Sandbox | null,
): Promise<number> {
  const checked = checkStart(command, directory)
  // Registered before the program starts, so that no signal ends only the bridge.
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      if (!(process.stdin.isTTY && FROM_TERMINAL.includes(signal))) program.signal(signal)
    })
  }
  const program = spawnProgram({ command: checked, directory, env, sandbox, timers, stdio: 'terminal' })
  return program.ended
}
