import { type Command, Option } from 'commander'
import { typed } from '../../command-line.ts'
import type { ServerFrame } from '../../../schemas/communicate/frames.ts'
import type { Message } from '../../../schemas/communicate/message.ts'
import { communicateOperations } from '../../../schemas/operations/communicate.ts'
import { Failure } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { wholeNumber, withExamples, withJsonLines, withUrl, type UrlOption } from '../../options.ts'
import { paint, visible } from '../../output/print.ts'
import { variable } from '../../settings.ts'
import { watch } from '../../watch.ts'
import { messageLine } from './messages.ts'

interface WatchOptions extends UrlOption {
  count: number
  json?: boolean
}

export function define(command: Command): void {
  command.argument('<room>', 'Name or id')
  command.addOption(
    new Option('--count <n>', 'Number of latest messages to show first').argParser(wholeNumber).default(10),
  )
  withExamples(
    withUrl(withJsonLines(command)),
    'agent communicate watch engineering',
    'agent communicate watch engineering --json | jq .message.content',
  ).action(show)
}

async function show(room: string, options: WatchOptions): Promise<void> {
  const client = connect(communicateOperations, options)
  const { id } = await client.getRoom({ params: { id: room } })
  const shown = new Set<string>()
  const write = (line: string) => void process.stdout.write(`${line}\n`)
  const say = (message: Message) => {
    if (shown.has(message.id)) return
    shown.add(message.id)
    write(options.json ? JSON.stringify({ type: 'message', room_id: id, message }) : messageLine(message))
  }
  // Buffers frames that arrive while the latest messages are fetched.
  let waiting: ServerFrame[] | null = []
  const take = (frame: ServerFrame) => {
    if (frame.type === 'message') return say(frame.message)
    if (frame.type === 'error')
      throw new Failure(frame.message, { hint: `run "${typed`agent communicate participants ROOM`}"` })
    if (options.json) return write(JSON.stringify(frame))
    const line = eventLine(frame)
    if (line !== null) write(line)
  }
  const begin = async () => {
    if (options.count > 0)
      for (const message of await client.latestMessages({ params: { id }, query: { count: options.count } }))
        say(message)
    const came = waiting ?? []
    waiting = null
    for (const frame of came) take(frame)
  }
  const [group, path] = [communicateOperations, client.roomSocket({ query: visitor() })]
  const opening = [{ type: 'subscribe', room_id: id }]
  const what = options.json ? undefined : `room ${room}`
  await watch({ group, path, url: options.url, what, opening }, (line) => {
    const frame = JSON.parse(line) as ServerFrame
    if (frame.type === 'subscribed') return begin()
    if (waiting && frame.type !== 'error') return void waiting.push(frame)
    take(frame)
  })
}

/** Identity of the viewer: the agent of this session, or the operator. */
function visitor() {
  const agent = variable('SVC_AGENT_ID')
  const name = agent ?? variable('SVC_ACTOR') ?? 'operator'
  return { identifier: name, kind: agent ? ('agent' as const) : ('human' as const), display_name: name }
}

/** Returns null for events that are not shown. */
function eventLine(frame: ServerFrame): string | null {
  const colours = paint()
  switch (frame.type) {
    case 'participant_event':
      return colours.dim(`${visible(frame.participant.display_name)} ${EVENTS[frame.event]}`)
    case 'unsubscribed':
      return colours.dim(frame.reason ?? 'unsubscribed from the room')
    default:
      return null
  }
}

const EVENTS = { joined: 'joins', changed: 'has a new role', left: 'leaves' } as const
