// `agent orchestrator attach`. Read-only by default: a key such as Ctrl-C would end the work of a driven agent.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Command } from 'commander'
import { shellWord } from '../../../platform/core/shell-word.ts'
import { typed } from '../../command-line.ts'
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
    .argument('<agent>', 'Id, or name if unique')
    .option('--write', 'Send keys to the program, after confirmation; always on for interactive agents')
    .option('--print', 'Print the command instead of running it')
  withExamples(withUrl(command), 'agent orchestrator attach planner   # Ctrl-b d leaves it running').action(attach)
}

async function attach(word: string, options: AttachOptions): Promise<void> {
  const agent = await findAgent(word, options)
  const { name, status, config: settings } = agent
  const takesKeys = settings.interactive || options.write === true
  const command = [...agentsTmux(), ...attachWords(agent, takesKeys)]
  if (options.print) return void process.stdout.write(`${command.map(shellWord).join(' ')}\n`)
  if (status !== 'running')
    throw new Failure(`agent ${name} is ${status} and has no terminal`, {
      hint: `start it with: ${typed`agent orchestrator restart-agent ${name}`}`,
    })
  if (takesKeys && !settings.interactive)
    await confirm(`Every key is sent to the program of ${name}, which svc drives; Ctrl-C ends its work. Attach anyway?`)
  process.exitCode = await run(command)
}

/** `=` matches the exact name; a bare name also matches sessions that start with it. */
function attachWords({ name, mux_session }: AgentRecord, takesKeys: boolean): string[] {
  const target = ['-t', `=${mux_session}`]
  if (takesKeys) return ['attach', ...target]
  const banner = `read-only: keys are not sent to ${name}; Ctrl-b d detaches, send-message sends a prompt`
  // A delay of 0 shows the message until a key is pressed.
  return ['attach', '-r', ...target, ';', 'display-message', '-d', '0', banner.replaceAll('#', '##')]
}

async function run([program, ...args]: string[]): Promise<number> {
  const child = spawn(program!, args, { stdio: 'inherit', env: tmuxEnvironment() })
  const [code] = await once(child, 'exit').catch((error: Error) => {
    throw new Failure(`cannot start ${program}: ${error.message}`, {
      hint: `run "${typed`svc doctor`}" to check this machine`,
    })
  })
  return code ?? 1
}
