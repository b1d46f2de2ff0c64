// What is asked of a tmux server, in the two forms it takes: arguments of a process, and a line of its control mode.
import { execa } from 'execa'
import { unavailable } from '../problem.ts'

/** Commands that the server runs one after the other, before it looks at anything else; none after one that failed. */
export type Commands = readonly (readonly string[])[]

export interface Answer {
  /** What those printed that did not fail, a line each. */
  stdout: string
  /** Why one failed. */
  stderr: string
  failed: boolean
}

const NO_SERVER = /no server running|error connecting to|server exited/
const NO_SESSION = /can't find (session|pane|window)|session not found|no current target/

/** There is no server at all. */
export const isServerGone = ({ stderr }: Answer): boolean => NO_SERVER.test(stderr)

/** The server or the session that was asked about is not there. */
export const isGone = (answer: Answer): boolean => isServerGone(answer) || NO_SESSION.test(answer.stderr)

/** One call of tmux, which has this environment and no other. Throws 503 `program-missing` where there is no tmux. */
export async function runTmux(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Answer> {
  const result = await execa('tmux', args, {
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    stripFinalNewline: false,
    // It ends by itself within milliseconds: to listen for signals meanwhile costs as much as it does.
    cleanup: false,
  })
  if (result.code === 'ENOENT')
    throw unavailable(
      'tmux is not installed: install it (apt-get install tmux, or brew install tmux), then try again',
      undefined,
      'program-missing',
    )
  return { stdout: result.stdout ?? '', stderr: result.stderr ?? '', failed: result.failed }
}

/** The commands as arguments of one call. */
export function asArguments(commands: Commands): string[] {
  return commands.flatMap((command, at) => [...(at > 0 ? [';'] : []), ...command.map(notSeparator)])
}

/** An argument that ends in a semicolon would end the command for tmux. */
function notSeparator(argument: string): string {
  return argument.endsWith(';') ? `${argument.slice(0, -1)}\\;` : argument
}

/** The commands as one line of control mode, without its end. */
export function asLine(commands: Commands): string {
  return commands.map((command) => command.map(quoted).join(' ')).join(' ; ')
}

/** Within single quotes all stands for itself but such a quote, and the end of a line, which ends the command. */
function quoted(argument: string): string {
  const parts = argument.split(/(['\n\r])/)
  return parts.map((part) => ESCAPED[part] ?? (part === '' ? '' : `'${part}'`)).join('') || "''"
}

const ESCAPED: Readonly<Record<string, string>> = { "'": '"\'"', '\n': '"\\n"', '\r': '"\\r"' }
