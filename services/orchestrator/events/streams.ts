import { unexpected } from '../../../platform/async/unexpected-errors.ts'
import { ChangeFeed, type Unsubscribe } from '../../../platform/async/change-feed.ts'
import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import type { Replay, Streams } from '../face.ts'
import { mainArgument } from '../policy/main-argument.ts'
import type { StoredFrames } from './stored-frames.ts'

/** Characters. Of a longer frame, only the start of its text is relayed. */
const LONGEST_RELAYED = 1024 * 1024
const LONGEST_CUT = 64 * 1024
/** A replay with at most this many new frames goes live. */
const LITTLE = 50

export class StreamHub implements Streams {
  readonly #all: ChangeFeed<StreamFrame>
  /** Only frames of the daemon: an agent cannot imitate them. */
  readonly reports: ChangeFeed<StreamFrame>
  readonly #clock: Clock
  readonly #log: Log
  readonly #stored: StoredFrames

  constructor({ clock, log }: { clock: Clock; log: Log }, stored: StoredFrames) {
    this.#all = new ChangeFeed(log)
    this.reports = new ChangeFeed(log)
    this.#clock = clock
    this.#log = log
    this.#stored = stored
  }

  subscribe(listener: (frame: StreamFrame) => void, agentId?: string): Unsubscribe {
    if (agentId === undefined) return this.#all.subscribe(listener)
    return this.#all.subscribe((frame) => {
      if (frame.agent_id === agentId) listener(frame)
    })
  }

  replay(listener: (frame: StreamFrame) => void, asked: Replay): Unsubscribe {
    let stop: Unsubscribe | null = null
    let isOver = false
    const run = async () => {
      const from = await this.#catchUp(listener, asked, () => isOver)
      if (!isOver) stop = this.#goLive(listener, from, asked.agentId)
    }
    void run().catch((error: unknown) => {
      unexpected(this.#log, 'feed', error)
      if (!isOver) stop = this.subscribe(listener, asked.agentId)
    })
    return () => {
      isOver = true
      stop?.()
    }
  }

  /** Returns the position to continue from. */
  async #catchUp(
    listener: (frame: StreamFrame) => void,
    { since, agentId, room }: Replay,
    isOver: () => boolean,
  ): Promise<number> {
    const last = await this.#stored.place()
    let from = (await this.#stored.first(since)) ?? last + 1
    for (let sent = Number.POSITIVE_INFINITY; sent > LITTLE && !isOver();) {
      const upTo = await this.#stored.place()
      sent = 0
      for await (const frames of this.#stored.read({ from, upTo, agentId })) {
        for (const frame of frames) listener(frame)
        sent += frames.length
        await room()
        if (isOver()) return from
      }
      from = Math.max(from, upTo + 1)
    }
    return from
  }

  /** Continues without gaps or duplicates. */
  #goLive(listener: (frame: StreamFrame) => void, from: number, agentId: string | undefined): Unsubscribe {
    // Subscribe and take the position in the same tick.
    let held: StreamFrame[] | null = []
    const stop = this.subscribe((frame) => (held ? void held.push(frame) : listener(frame)), agentId)
    const place = this.#stored.place()
    const run = async () => {
      for await (const frames of this.#stored.read({ from, upTo: await place, agentId }))
        for (const frame of frames) listener(frame)
    }
    void run()
      .catch((error: unknown) => unexpected(this.#log, 'feed', error))
      .finally(() => {
        for (const frame of held ?? []) listener(frame)
        held = null
      })
    return stop
  }

  publish(
    agentId: string,
    type: string,
    content: string,
    more: Partial<Pick<StreamFrame, 'message' | 'approval' | 'dispatch' | 'status' | 'activity'>> = {},
  ): void {
    const frame = this.#frame(agentId, type, content, more)
    this.reports.publish(frame)
    this.#send(frame)
  }

  relay(agentId: string, message: Record<string, any>, length: number): void {
    const text = readableText(message)
    if (length <= LONGEST_RELAYED) return this.#send(this.#frame(agentId, message.type, text, { message }))
    const left = `… (truncated; the frame has ${length} characters)`
    this.#send(this.#frame(agentId, message.type, text.slice(0, LONGEST_CUT) + left))
  }

  #frame(agentId: string, type: string, content: string, more: Partial<StreamFrame> = {}): StreamFrame {
    return { agent_id: agentId, type, content, timestamp: timestamp(this.#clock), message: null, ...more }
  }

  #send(frame: StreamFrame): void {
    this.#stored.take(frame)
    this.#all.publish(frame)
  }
}

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

/** Some programs send objects. */
export function errorTexts(errors: unknown): string[] {
  return Array.isArray(errors) ? errors.map((error) => (typeof error === 'string' ? error : JSON.stringify(error))) : []
}

export function toolText(tool: unknown, input: unknown): string {
  return `${String(tool)}(${mainArgument(String(tool), input)})`
}

/** The text of a message without its tool calls. */
export function saidText(content: unknown): string {
  if (!Array.isArray(content)) return blocksText(content)
  return blocksText(content.filter((block: Record<string, any>) => block?.type === 'text'))
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
