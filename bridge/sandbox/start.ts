// Starts every program of an agent, in its sandbox or without one.
import { spawn } from 'node:child_process'
import { childExit, exitCodeOf, isRunning, spawnFault } from '../child-exit.ts'
import { startInside } from './inside.ts'
import { STDIO, type ProgramStart, type StartedProgram } from './program-start.ts'

/** Throws a LaunchFault if the sandbox cannot be had: no program starts without it. */
export function spawnProgram(start: ProgramStart): StartedProgram {
  return start.sandbox === null ? startOutside(start) : startInside(start, start.sandbox)
}

function startOutside({ command, directory, env, stdio, timers }: ProgramStart): StartedProgram {
  const [program, ...args] = command
  const child = spawn(program, args, { cwd: directory, env, stdio: [...STDIO[stdio]] })
  // The exit code is more informative than a broken pipe.
  child.stdin?.on('error', () => {})
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    get isRunning() {
      return isRunning(child)
    },
    signal: (name) => void child.kill(name),
    kill: () => void child.kill('SIGKILL'),
    onExit: (listener) => void child.once('exit', listener),
    ended: childExit(child, timers).then(exitCodeOf, (error) => Promise.reject(spawnFault(error, program))),
  }
}
