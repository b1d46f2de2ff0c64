// `agent orchestrator attach`: the terminal of an agent, in this one. Of an agent that is driven it is looked at only:
// a key that reaches its program, Ctrl-C above all, ends what it is doing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Command } from 'commander'
import { quoted, typed } from '../../command-line.ts'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { agentsTmux, tmuxEnvironment } from '../../agents-tmux.ts'
import { confirm } from '../../confirm.ts'
import { Failure } from '../../failure.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withUrl, type UrlOption } from '../../options.ts'

interface AttachOptions extends UrlOption {
  print?: boolean
  write?: boolean
}

export function define(command: Command): void {
  command
    .argument('<agent>', 'id, or name where unique')
    .option('--write', 'keys reach the program too, after a question; an interactive agent always takes them')
    .option('--print', 'print the command instead of running it')
  withExamples(withUrl(command), 'agent orchestrator attach planner   # Ctrl-b d leaves it running').action(attach)
}

async function attach(word: string, options: AttachOptions): Promise<void> {
  const agent = await findAgent(word, options)
  const { name, status, config: settings } = agent
  const takesKeys = settings.interactive || options.write === true
  const command = [...agentsTmux(), ...attachWords(agent, takesKeys)]
  if (options.print) return void process.stdout.write(`${command.map(quoted).join(' ')}\n`)
  if (status !== 'running')
    throw new Failure(`agent ${name} is ${status}: it has no terminal`, {
      hint: `start it with: ${typed`agent orchestrator restart-agent ${name}`}`,
    })
  if (takesKeys && !settings.interactive)
    await confirm(
      `Every key reaches the program of ${name}, which svc drives; Ctrl-C ends its work. Attach all the same?`,
    )
  process.exitCode = await run(command)
}

/** `=` makes the name exact: a bare one matches every session it is the beginning of. */
function attachWords({ name, mux_session }: AgentRecord, takesKeys: boolean): string[] {
  const target = ['-t', `=${mux_session}`]
  if (takesKeys) return ['attach', ...target]
  const banner = `read-only: no key reaches ${name}; Ctrl-b d leaves it, send-message talks to it`
  // A delay of 0: it stays until a key is pressed.
  return ['attach', '-r', ...target, ';', 'display-message', '-d', '0', banner.replaceAll('#', '##')]
}

async function run([program, ...args]: string[]): Promise<number> {
  const child = spawn(program!, args, { stdio: 'inherit', env: tmuxEnvironment() })
  const [code] = await once(child, 'exit').catch((error: Error) => {
    throw new Failure(`${program} cannot be started: ${error.message}`, {
      hint: `"${typed`svc doctor`}" names what is missing`,
    })
  })
  return code ?? 1
}
