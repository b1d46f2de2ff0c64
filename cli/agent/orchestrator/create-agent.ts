// `agent orchestrator create-agent`: launches an agent.
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { RESTARTS, RUNTIMES, SHELLS, type AgentInput, type AgentRecord } from '../../../schemas/agent.ts'
import { POLICY_MODES, type ToolPolicy } from '../../../schemas/tool-policy.ts'
import { misuse } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { collect, withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { agentLine, show, warningLines } from '../record.ts'
import { policyOf, withPolicy, type PolicyOptions } from './tool-policy-options.ts'

interface CreateOptions extends UrlOption, OutputOption, PolicyOptions {
  name: string
  workingDir: string
  runtime?: AgentInput['runtime']
  command?: string[]
  prompt?: string
  systemPrompt?: string
  shell?: AgentInput['shell']
  user?: string
  model?: string
  interactive?: boolean
  worktree?: boolean
  addDir?: string[]
  env?: string[]
  restart?: AgentInput['restart']
}

export function define(command: Command): void {
  command
    .requiredOption('--name <name>', 'what to call it')
    .option('--working-dir <dir>', 'where its process works', '.')
    .addOption(new Option('--runtime <runtime>', 'which agent program (default: claude-code)').choices(RUNTIMES))
    .option('--command <word...>', 'program and arguments, for the runtimes command, acp and socket')
    .option('--prompt <text>', 'sent when it has connected')
    .option('--system-prompt <text>', 'its system prompt')
    .option('--model <model>', 'model the program is told to use')
    .addOption(new Option('--shell <shell>', 'shell of its session (default: zsh)').choices(SHELLS))
    .option('--user <user>', 'OS user to run as')
    .option('--interactive', 'a plain program to attach to, without messages')
    .option('--worktree', 'work in an isolated git worktree')
    .option('--add-dir <dir>', 'one more directory it may use; may be given several times', collect)
    .option('--env <name=value>', 'environment of its process; may be given several times', collect)
    .addOption(new Option('--restart <when>', 'start it again when it ended (default: never)').choices(RESTARTS))
  withExamples(
    withUrl(withOutput(withPolicy(command, POLICY_MODES))),
    'agent orchestrator create-agent --name helper --runtime scripted --policy require_approval',
  ).action(createAgent)
}

async function createAgent(options: CreateOptions): Promise<void> {
  const input: AgentInput = {
    name: options.name,
    working_dir: resolve(options.workingDir),
    runtime: options.runtime,
    command: options.command,
    prompt: options.prompt,
    system_prompt: options.systemPrompt,
    model: options.model,
    shell: options.shell,
    user: options.user,
    interactive: options.interactive,
    worktree: options.worktree,
    additional_dirs: options.addDir?.map((directory) => resolve(directory)),
    env: options.env && Object.fromEntries(options.env.map(pair)),
    restart: options.restart,
    tool_policy: policyOf<ToolPolicy['mode']>(options),
  }
  const agent = await connect('orchestrator', options).post<AgentRecord>('/agents', input)
  show(agent, options, agentLine(agent) + warningLines(agent.warnings))
  if (agent.status === 'failed') process.exitCode = 1
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw misuse(`--env ${at < 0 ? text : ''} has no name and value`, 'write --env NAME=value')
  return [text.slice(0, at), text.slice(at + 1)]
}
