import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Option, type Command } from 'commander'
import { typed } from '../../command-line.ts'
import { RESTARTS, RUNTIMES, SHELLS } from '../../../schemas/agent/members.ts'
import { AGENT_STATUSES, type AgentRecord } from '../../../schemas/agent/record.ts'
import { GUARDS } from '../../../schemas/agent/guards.ts'
import * as operations from '../../../schemas/operations/orchestrator/agents.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import { POLICY_MODES } from '../../../schemas/tools/policy.ts'
import { Failure } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { collect, pairs } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { agentLine, warningLines } from '../../output/records.ts'
import { renderTable, type Column } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { verb, type Ending, type Typed } from '../../verb.ts'
import { anAgent } from './subjects.ts'
import { policyOf, withPolicy } from './tool-policy-options.ts'

const startedLine = (agent: AgentRecord): string => agentLine(agent) + warningLines(agent.warnings)
const OUTCOME_MS = 10_000
const LOOK_EVERY_MS = 150
/** A program may end right after its bridge has connected. */
const GOOD_LOOKS = 4

/** Waits a few seconds for a start to connect or fail. */
async function waitForStart(agent: AgentRecord, { options }: Typed): Promise<Ending | null> {
  if (options.wait === false) return null
  const client = connect(group, options)
  const deadline = Date.now() + OUTCOME_MS
  let [now, good] = [agent, 0]
  while (now.status !== 'failed' && (isOpen(now) || ++good < GOOD_LOOKS) && Date.now() < deadline) {
    await sleep(LOOK_EVERY_MS)
    now = await client.getAgent({ params: { id: agent.id } })
  }
  if (now.status === 'failed')
    return {
      json: now,
      text: new Failure(`agent ${visible(now.name)} failed: ${visible(now.last_error ?? 'reason unknown')}`, {
        hint: `see its output with: ${typed`agent logs ${now.name}`}; start it again with: ${typed`agent orchestrator restart-agent ${now.name}`}`,
      }),
    }
  const waits = isOpen(now)
    ? `\nit has not connected yet; see its output with: ${typed`agent logs ${visible(now.name)}`}`
    : ''
  return { json: now, text: `${startedLine(now)}${waits}` }
}

const isOpen = ({ status, connected, config }: AgentRecord): boolean =>
  status === 'pending' || (status === 'running' && !connected && !config.interactive)

const withOutcome = (command: Command): Command =>
  command.option('--no-wait', 'Return immediately (default: wait up to 10 s for the agent to start)')

const startedCode = (agent: AgentRecord): number => (agent.status === 'failed' ? 1 : 0)

const CREATE_OPTIONS = {
  name: new Option('--name <name>', 'Name of the agent'),
  working_dir: new Option('--working-dir <dir>', 'Working directory of its process').default('.'),
  runtime: new Option('--runtime <runtime>', 'Agent program (default: claude-code)').choices(RUNTIMES),
  command: new Option('--command <word...>', 'Program and arguments for the runtimes command, acp and socket'),
  prompt: new Option('--prompt <text>', 'First prompt of the agent; - reads standard input'),
  system_prompt: new Option('--system-prompt <text>', 'System prompt; - reads standard input'),
  model: new Option('--model <model>', 'Model to use'),
  shell: new Option('--shell <shell>', 'Shell of its session (default: zsh)').choices(SHELLS),
  user: new Option('--user <user>', 'OS user to run as'),
  interactive: new Option('--interactive', 'Program without messages; use it with attach'),
  worktree: new Option('--worktree', 'Work in an isolated git worktree'),
  additional_dirs: new Option('--add-dir <dir>', 'Additional directory (repeatable)').argParser(collect),
  env: new Option('--env <name=value>', 'Environment variable (repeatable)').argParser(pairs('--env', 'NAME=value')),
  sandbox: new Option('--sandbox <word>', 'Sandbox of its program (default: auto)').choices(['auto', 'on', 'off']),
  may: new Option('--may <word...>', 'Daemon operations that its programs may call').choices(GUARDS),
  restart: new Option('--restart <when>', 'Restart policy (default: never)').choices(RESTARTS),
}

/** Resolves paths here: the daemon does not know the caller's working directory. */
const createRequest = (members: Record<string, any>, { options }: Typed) => ({
  ...members,
  working_dir: resolve(members.working_dir),
  additional_dirs: members.additional_dirs?.map((directory: string) => resolve(directory)),
  tool_policy: policyOf(options),
})

const COLUMNS: Column<AgentRecord>[] = [
  { title: 'NAME', value: (agent) => agent.name },
  {
    title: 'STATUS',
    value: (agent) =>
      agent.status === 'running' && !agent.config.interactive && !agent.connected
        ? 'running, not connected'
        : agent.status,
    colour: (agent) => (agent.status === 'running' ? 'green' : agent.status === 'failed' ? 'red' : undefined),
  },
  { title: 'ACTIVITY', value: (agent) => agent.activity },
  { title: 'RUNTIME', value: (agent) => agent.config.runtime, kind: 'extra' },
  { title: 'POLICY', value: (agent) => agent.config.tool_policy.mode, kind: 'extra' },
  {
    title: 'MANAGED BY',
    value: (agent) => (agent.managed_by ? `${agent.managed_by.file}:${agent.managed_by.line}` : null),
    kind: 'path',
  },
  { title: 'AGE', value: (agent) => age(agent.created_at), kind: 'time' },
  { title: 'ID', value: (agent) => agent.id, kind: 'id' },
]

export const agentVerbs: readonly CommandEntry[] = [
  verb('create-agent', group, operations.createAgent, {
    summary: 'Create and launch an agent',
    options: CREATE_OPTIONS,
    without: ['tool_policy', 'rooms', 'auto_clear_threshold', 'max_cost_usd'],
    more: (command) => withOutcome(withPolicy(command, POLICY_MODES)),
    request: createRequest,
    examples: ['agent orchestrator create-agent --name helper --runtime scripted --policy require_approval'],
    wait: waitForStart,
    done: startedLine,
    exit: startedCode,
  }),
  verb('list-agents', group, operations.listAgents, {
    summary: 'List agents, newest first',
    options: { status: new Option('--status <status>', 'Only agents with this status').choices(AGENT_STATUSES) },
    without: ['name'],
    examples: ['agent orchestrator list-agents --status running'],
    done: (agents) => renderTable(agents, COLUMNS, 'No agents.'),
  }),
  verb('get-agent', group, operations.getAgent, {
    summary: 'Show an agent',
    subject: anAgent,
    examples: ['agent orchestrator get-agent planner'],
  }),
  verb('delete-agent', group, operations.deleteAgent, {
    summary: 'Stop an agent; its record is kept unless purged',
    subject: anAgent,
    options: {
      purge: new Option(
        '--purge',
        'Also delete the record and the worktree; uncommitted work is kept under refs/svc/preserved',
      ),
    },
    examples: ['agent orchestrator delete-agent helper --purge'],
    done: (agent, { subject: { id, name } }) => (agent ? agentLine(agent) : `agent ${visible(name)} purged (${id})`),
    json: (agent, { subject: { id } }) => agent ?? { id, purged: true },
  }),
  verb('restart-agent', group, operations.restartAgent, {
    summary: 'Restart an agent to pick up changes',
    subject: anAgent,
    more: withOutcome,
    examples: ['agent orchestrator restart-agent planner'],
    wait: waitForStart,
    done: startedLine,
    exit: startedCode,
  }),
]
