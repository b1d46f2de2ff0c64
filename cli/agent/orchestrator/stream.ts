// `agent orchestrator stream`: what an agent, or all of them, say and do, as it happens.
import type { Command } from 'commander'
import { WebSocket } from 'ws'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import { addressOf } from '../../address.ts'
import { Failure, misuse } from '../../failure.ts'
import { connect, headers, problemFailure, unreachable } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withUrl, type UrlOption } from '../../options.ts'
import { note, paint, visible } from '../../output/print.ts'

interface StreamOptions extends UrlOption {
  all?: boolean
  json?: boolean
  verbose?: boolean
}

export function define(command: Command): void {
  command
    .argument('[agent]', 'id, or name where unique')
    .option('--all', 'every agent')
    .option('--json', 'the frames as they come, one JSON object a line')
    .option('--verbose', 'keep-alives, control requests and system messages too')
  withExamples(
    withUrl(command),
    'agent orchestrator stream planner',
    'agent orchestrator stream --all --json | jq .type',
  ).action(stream)
}

async function stream(word: string | undefined, options: StreamOptions): Promise<void> {
  if ((word === undefined) === !options.all)
    throw misuse(
      word === undefined ? 'which agent?' : 'an agent and --all exclude each other',
      'name one agent, or give --all',
    )
  const client = connect(orchestratorOperations, options)
  const agents = options.all ? await client.listAgents() : [await findAgent(word!, options)]
  const names = new Map(agents.map((agent) => [agent.id, agent.name]))
  if (!options.json && process.stderr.isTTY)
    note(`watching ${options.all ? 'every agent' : names.get(agents[0]!.id)}; Ctrl-C ends it`)
  const path = options.all ? client.streamAll() : client.streamAgent({ params: { agent_id: agents[0]!.id } })
  await watch(path, options, (text) => write(text, names, options))
}

/** Ends when the daemon closes the stream, which is a failure, or at Ctrl-C, which is not. */
function watch(path: string, options: StreamOptions, take: (text: string) => void): Promise<void> {
  const address = addressOf(orchestratorOperations, options.url)
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address.base.replace(/^http/, 'ws') + path, { headers: headers() })
    const stop = () => {
      socket.terminate()
      resolve()
    }
    process.once('SIGINT', stop).once('SIGTERM', stop)
    socket.on('message', (data: Buffer) => take(data.toString('utf8')))
    socket.on('unexpected-response', (_request, response) =>
      reject(problemFailure({ status: response.statusCode, detail: response.statusMessage }, `GET ${path}`)),
    )
    socket.on('error', (error) =>
      reject(unreachable(address, Object.assign(new Error(error.message), { cause: error }))),
    )
    socket.on('close', (code, reason) =>
      reject(
        new Failure(`the stream ended: ${reason.toString() || `code ${code}`}`, {
          where: path,
          hint: 'is the daemon still there? "agent status" tells',
        }),
      ),
    )
  })
}

/** What each agent said last: its result says the same again. */
const saidLast = new Map<string, string>()

/** Types that say little to a person. */
const QUIET = new Set(['keep_alive', 'control_request', 'control_response', 'system', 'user'])

function write(text: string, names: Map<string, string>, options: StreamOptions): void {
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    if (options.json) process.stdout.write(`${line}\n`)
    else {
      const shown = humanLine(JSON.parse(line) as StreamFrame, names, options.verbose ?? false)
      if (shown) process.stdout.write(`${shown}\n`)
    }
  }
}

function humanLine(frame: StreamFrame, names: Map<string, string>, verbose: boolean): string | null {
  if (QUIET.has(frame.type) && !verbose) return null
  const repeats = frame.type === 'result' && saidLast.get(frame.agent_id) === frame.content
  if (frame.type === 'assistant') saidLast.set(frame.agent_id, frame.content)
  if (repeats && !verbose) return null
  const colours = paint()
  const head = `${colours.dim(frame.timestamp.slice(11, 19))} ${colours.cyan(visible(names.get(frame.agent_id) ?? frame.agent_id.slice(0, 8)))} ${frame.type}`
  const text = frameText(frame).trimEnd()
  return text === '' && !verbose ? null : `${head}${text ? `: ${visible(text)}` : ''}`
}

/** What a frame of ours says, in words; a frame of the agent's has its text in `content`. */
function frameText(frame: StreamFrame): string {
  const { approval, dispatch } = frame
  if (frame.type === 'pending_approval' && approval)
    return `wants ${approval.tool_name} ${JSON.stringify(approval.tool_input)}\n  agent orchestrator approve ${approval.id.slice(0, 8)}   or   deny ${approval.id.slice(0, 8)}`
  if (frame.type === 'approval_decided' && approval)
    return `${approval.tool_name} ${approval.status}${approval.decided_by ? ` by ${approval.decided_by}` : ''}${approval.reason ? `: ${approval.reason}` : ''}`
  if (frame.type === 'agent_status') return [frame.status, frame.activity].filter(Boolean).join(', ')
  if (frame.type === 'dispatch' && dispatch)
    return `${dispatch.id.slice(0, 8)} ${dispatch.status}${dispatch.error ? `: ${dispatch.error}` : ''}`
  return frame.content
}
