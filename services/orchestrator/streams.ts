// Who watches: frames of the agents and of our own, to every listener, without replay.
import { ChangeFeed, type Unsubscribe } from '../../platform/change-feed.ts'
import { timestamp, type Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { StreamFrame } from '../../schemas/agent/stream.ts'
import type { Streams } from './face.ts'
import { mainArgument } from './tools/policy/main-argument.ts'

/** Characters of a frame that is relayed whole, and of the text of one that is not. */
const LONGEST_RELAYED = 1024 * 1024
const LONGEST_CUT = 64 * 1024

export class StreamHub implements Streams {
  readonly #all: ChangeFeed<StreamFrame>
  readonly #clock: Clock

  constructor({ clock, log }: { clock: Clock; log: Log }) {
    this.#all = new ChangeFeed(log)
    this.#clock = clock
  }

  subscribe(listener: (frame: StreamFrame) => void, agentId?: string): Unsubscribe {
    if (agentId === undefined) return this.#all.subscribe(listener)
    return this.#all.subscribe((frame) => {
      if (frame.agent_id === agentId) listener(frame)
    })
  }

  publish(
    agentId: string,
    type: string,
    content: string,
    more: Partial<Pick<StreamFrame, 'message' | 'approval' | 'dispatch' | 'status' | 'activity'>> = {},
  ): void {
    this.#all.publish({ agent_id: agentId, type, content, timestamp: timestamp(this.#clock), message: null, ...more })
  }

  /**
   * Relays a frame as the agent sent it; of one that is longer than readers may be given, the beginning of its
   * text.
   */
  relay(agentId: string, message: Record<string, any>, length: number): void {
    const text = readableText(message)
    if (length <= LONGEST_RELAYED) return this.publish(agentId, message.type, text, { message })
    const left = `… (the whole frame has ${length} characters)`
    this.publish(agentId, message.type, text.slice(0, LONGEST_CUT) + left)
  }
}

/** What a person would read of a frame. */
function readableText(frame: Record<string, any>): string {
  switch (frame.type) {
    case 'assistant':
    case 'user':
      return blocksText(frame.message?.content)
    case 'result':
      return typeof frame.result === 'string' ? frame.result : errorTexts(frame.errors).join('\n')
    case 'control_request':
      return frame.request?.subtype === 'can_use_tool'
        ? toolText(frame.request.tool_name, frame.request.input)
        : String(frame.request?.subtype ?? '')
    case 'system':
      return [frame.subtype, frame.state].filter(Boolean).join(' ')
    default:
      return ''
  }
}

/** The errors of a result as texts; a program may send objects. */
export function errorTexts(errors: unknown): string[] {
  return Array.isArray(errors) ? errors.map((error) => (typeof error === 'string' ? error : JSON.stringify(error))) : []
}

export function toolText(tool: unknown, input: unknown): string {
  return `${String(tool)}(${mainArgument(String(tool), input)})`
}

function blocksText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(blockText).filter(Boolean).join('\n')
}

function blockText(block: Record<string, any>): string {
  if (block?.type === 'text') return String(block.text ?? '')
  if (block?.type === 'tool_use') return toolText(block.name, block.input)
  if (block?.type === 'tool_result') return blocksText(block.content)
  return ''
}
