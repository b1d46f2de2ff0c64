// `agent orchestrator attach`: the terminal of an agent, in this one.
import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { Failure } from '../../failure.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withUrl, type UrlOption } from '../../options.ts'
import { config } from '../../settings.ts'

export function define(command: Command): void {
  command.argument('<agent>', 'id, or name where unique').option('--print', 'print the command instead of running it')
  withExamples(withUrl(command), 'agent orchestrator attach planner   # Ctrl-b d leaves it running').action(attach)
}

async function attach(word: string, options: UrlOption & { print?: boolean }): Promise<void> {
  const agent = await findAgent(word, options)
  // `=` makes the name exact: a bare one matches every session it is the beginning of.
  const command = [
    'tmux',
    ...(config().muxSocket === 'default' ? [] : ['-L', config().muxSocket]),
    'attach',
    '-t',
    `=${agent.mux_session}`,
  ]
  if (options.print) return void process.stdout.write(`${command.join(' ')}\n`)
  if (agent.status !== 'running')
    throw new Failure(`agent ${agent.name} is ${agent.status}: it has no terminal`, {
      hint: `start it with: agent orchestrator restart-agent ${agent.name}`,
    })
  process.exitCode = await run(command)
}

function run([program, ...args]: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, { stdio: 'inherit' })
    child.once('error', (error) =>
      reject(
        new Failure(`${program} cannot be started: ${error.message}`, { hint: '"svc doctor" names what is missing' }),
      ),
    )
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
