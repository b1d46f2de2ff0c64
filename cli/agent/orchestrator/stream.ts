import type { Command } from 'commander'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import { misuse } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withJsonLines, withUrl, type UrlOption } from '../../options.ts'
import { decideLine, inputText } from '../../output/approvals.ts'
import { parseSince } from '../../output/duration.ts'
import { exact, paint, visible } from '../../output/print.ts'
import { watch } from '../../watch.ts'

interface StreamOptions extends UrlOption {
  all?: boolean
  since?: string
  json?: boolean
  verbose?: boolean
}

export function define(command: Command): void {
  command
    .argument('[agent]', 'Id, or name if unique')
    .option('--all', 'All agents')
    .option('--since <time>', 'First replay output since this time: 10m (ago) or an RFC 3339 time', parseSince)
    .option('--verbose', 'Include keep-alives, control requests and system messages')
  withExamples(
    withUrl(withJsonLines(command)),
    'agent orchestrator stream planner',
    'agent orchestrator stream planner --since 10m',
    'agent orchestrator stream --all --json | jq .type',
  ).action(stream)
}

async function stream(word: string | undefined, options: StreamOptions): Promise<void> {
  if ((word === undefined) === !options.all)
    throw misuse(
      word === undefined ? 'no agent given' : 'an agent and --all are mutually exclusive',
      'name one agent, or pass --all',
    )
  const [client, startedAt] = [connect(orchestratorOperations, options), new Date().toISOString()]
  const agents = options.all ? await client.listAgents() : [await findAgent(word!, options)]
  const [workflows, pending] = options.json
    ? [[], []]
    : await Promise.all([client.listWorkflows(), client.listApprovals({ query: { status: 'pending' } })])
  const known: Known = {
    names: new Map([...agents, ...workflows].map(({ id, name }) => [id, name])),
    startedAt,
    pending: new Set(pending.map(({ id }) => id)),
  }
  const what = options.json ? undefined : options.all ? 'every agent' : agents[0]!.name
  const query = { since: options.since }
  const path = options.all
    ? client.streamAll({ query })
    : client.streamAgent({ params: { agent_id: agents[0]!.id }, query })
  await watch({ group: orchestratorOperations, path, url: options.url, what }, (line) => {
    const shown = options.json ? line : humanLine(JSON.parse(line) as StreamFrame, known, options.verbose ?? false)
    if (shown) process.stdout.write(`${shown}\n`)
  })
}

interface Known {
  /** Names of agents and workflows, by id. */
  names: ReadonlyMap<string, string>
  /** RFC 3339. Approvals created before are decided, unless they are in `pending`. */
  startedAt: string
  pending: ReadonlySet<string>
}

const saidLast = new Map<string, string>()

/** Frame types hidden without --verbose. */
const QUIET = new Set(['keep_alive', 'control_request', 'control_response', 'system', 'user'])

function humanLine(frame: StreamFrame, known: Known, verbose: boolean): string | null {
  if (QUIET.has(frame.type) && !verbose) return null
  const repeats = frame.type === 'result' && saidLast.get(frame.agent_id) === frame.content
  if (frame.type === 'assistant') saidLast.set(frame.agent_id, frame.content)
  if (repeats && !verbose) return null
  const colours = paint()
  const head = `${colours.dim(frame.timestamp.slice(11, 19))} ${colours.cyan(nameOf(known, frame.agent_id))}`
  const text = frameText(frame, known)
  if (text !== null) return head + text
  const said = visible(frame.content.trimEnd())
  if (said === '' && !verbose) return null
  return `${head}${PLAIN.has(frame.type) ? '' : ` ${frame.type.replaceAll('_', ' ')}`}${said && `: ${said}`}`
}

const PLAIN = new Set(['assistant', 'result'])

const nameOf = ({ names }: Known, id: string): string => visible(names.get(id) ?? id.slice(0, 8))

/** Formats a frame that svc creates; null if the text of a frame is its `content`. */
function frameText(frame: StreamFrame, known: Known): string | null {
  const { approval, dispatch } = frame
  if (frame.type === 'pending_approval' && approval) {
    const isOpen = approval.created_at >= known.startedAt || known.pending.has(approval.id)
    const decide = isOpen ? `\n${decideLine(approval.id)}` : ''
    return ` wants ${exact(approval.tool_name)}\n${inputText(approval.tool_input)}${decide}`
  }
  if (frame.type === 'approval_decided' && approval) {
    const by = approval.decided_by ? ` by ${approval.decided_by}` : ''
    return visible(
      `: ${approval.tool_name} was ${approval.status}${by}${approval.reason ? `: ${approval.reason}` : ''}`,
    )
  }
  if (frame.type === 'agent_status') return visible(` is ${[frame.status, frame.activity].filter(Boolean).join(', ')}`)
  if (frame.type === 'dispatch' && dispatch) {
    const what = `task ${dispatch.id.slice(0, 8)} of workflow ${nameOf(known, dispatch.workflow_id)}`
    return `: ${what} ${dispatch.status === 'failed' ? 'has failed' : `is ${dispatch.status}`}${dispatch.error ? visible(`: ${dispatch.error}`) : ''}`
  }
  return null
}
