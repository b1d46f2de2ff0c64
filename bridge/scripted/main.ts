// `svc-agent --scripted`: the scripted agent as a program on standard input and output.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Launch } from '../../schemas/agent/launch.ts'
import { LineCutter } from '../lines.ts'
import { realTimers as timers } from '../timers.ts'
import { ScriptedAgent } from './index.ts'

const ENDING_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT']

/** Arguments are visible to every user: secrets are passed in the environment. */
export function scriptedCommand({ directory, model, resume_session }: Launch, program: string): string[] {
  const chosen = Object.entries({ directory, model, resume: resume_session })
  return [
    process.execPath,
    fileURLToPath(program),
    '--scripted',
    ...chosen.filter(([, value]) => value !== null).map(([name, value]) => `--${name}=${value}`),
  ]
}

/** Resolves with the exit code after all lines are written. Ends with standard input. */
export async function runScripted(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args: [...args], options: { directory: text, model: text, resume: text } })
  const { directory = process.cwd(), model = null, resume = null } = values
  const agent = new ScriptedAgent({
    launch: { directory, model, resume_session: resume },
    env,
    timers,
    onLine: (line) => void process.stdout.write(`${line}\n`),
  })
  const cutter = new LineCutter(
    (line) => agent.write(line),
    (length) => void process.stderr.write(`dropped a line of ${length} characters\n`),
  )
  process.stdin.on('data', (chunk: Buffer) => cutter.take(chunk))
  process.stdin.once('end', () => agent.stop())
  // A running command has a process group of its own, which the agent ends.
  for (const signal of ENDING_SIGNALS) process.on(signal, () => agent.stop())
  const exitCode = await agent.ended
  await new Promise((resolve) => process.stdout.write('', resolve))
  return exitCode
}
