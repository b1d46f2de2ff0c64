// What an ACP program says in its updates, as frames of the agent protocol: a block each, and its pieces as they come.
import { randomUUID } from 'node:crypto'
import { contentBlocks, objectAt, textAt, type Frame } from '../frames.ts'
import { toolOf } from './tool-call.ts'

/** Characters of a text block; a longer text continues in the next block. */
const LONGEST_BLOCK = 1_000_000
/** Characters of the answer that a result repeats; all of them went out in blocks. */
const LONGEST_ANSWER = 4_000_000
/** Tool calls of one turn that are remembered. */
const MOST_CALLS = 10_000
const LONGEST_ID = 256

type Emit = (frame: Frame) => void

/** Text or thoughts that came in pieces and are not a block yet. */
interface Open {
  type: 'text' | 'thinking'
  message: string | null
  text: string
}

interface Call {
  /** The `tool_call` with its updates on top. */
  call: Frame
  allowed: boolean
  over: boolean
}

export class Transcript {
  /** Of the current conversation. */
  sessionId = ''
  /** Total in US dollars that the program last reported. */
  cost = 0
  readonly #emit: Emit
  /** A tool ran without a permission request. */
  readonly #onUnasked: (tool: string) => void
  readonly #calls = new Map<string, Call>()
  #open: Open | null = null
  /** What the turn said after its last tool call. */
  #answer = ''

  constructor(emit: Emit, onUnasked: (tool: string) => void) {
    this.#emit = emit
    this.#onUnasked = onUnasked
  }

  /** One `session/update`; kinds that are not known are left out. */
  take(update: Frame): void {
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        return this.#piece('text', update)
      case 'agent_thought_chunk':
        return this.#piece('thinking', update)
      case 'tool_call':
      case 'tool_call_update':
        return this.#toolCall(update)
      case 'plan':
        this.#close()
        return this.system('plan', { entries: update['entries'] ?? [] })
      case 'usage_update': {
        const { amount, currency } = objectAt(update, 'cost')
        if (typeof amount === 'number' && amount >= 0 && currency === 'USD') this.cost = amount
      }
    }
  }

  /** The call that a permission is asked for, told before it is asked; null when it cannot be remembered. */
  asked(update: Frame): Frame | null {
    this.#close()
    return this.#merged(update)?.call ?? null
  }

  allowed(toolCallId: unknown): void {
    const known = typeof toolCallId === 'string' ? this.#calls.get(toolCallId) : undefined
    if (known) known.allowed = true
  }

  /** The turn is over. What it answered: its text after the last tool call. */
  end(): string {
    this.#close()
    const answer = this.#answer
    this.begin()
    return answer
  }

  /** Discards the state of the previous turn. */
  begin(): void {
    this.#open = null
    this.#answer = ''
    this.#calls.clear()
  }

  system(subtype: string, members: Frame): void {
    this.#emit({ type: 'system', subtype, ...members, session_id: this.sessionId, uuid: randomUUID() })
  }

  #piece(type: Open['type'], update: Frame): void {
    const piece = textOf(update)
    const message = textAt(update, 'messageId')
    if (piece === '') return
    if (this.#open && (this.#open.type !== type || this.#open.message !== message)) this.#close()
    this.#open ??= { type, message, text: '' }
    this.#open.text += piece
    // Without a uuid: clients that connect later get the whole block.
    const delta = type === 'text' ? { type: 'text_delta', text: piece } : { type: 'thinking_delta', thinking: piece }
    this.#emit({
      type: 'stream_event',
      event: { type: 'content_block_delta', index: 0, delta },
      session_id: this.sessionId,
      parent_tool_use_id: null,
    })
    if (this.#open.text.length > LONGEST_BLOCK) this.#close()
  }

  #close(): void {
    const open = this.#open
    this.#open = null
    if (!open) return
    const { type, text } = open
    this.#message('assistant', type === 'text' ? { type, text } : { type, thinking: text })
    if (type === 'text' && this.#answer.length <= LONGEST_ANSWER) this.#answer += text
  }

  #toolCall(update: Frame): void {
    this.#close()
    const known = this.#merged(update)
    const status = update['status']
    if (known?.over || (status !== 'completed' && status !== 'failed')) return
    if (!known) return status === 'completed' ? this.#onUnasked('unknown (call without a valid id)') : undefined
    known.over = true
    if (status === 'completed' && !known.allowed) this.#onUnasked(toolOf(known.call).name)
    const content = outcomeOf(known.call)
    const block = { type: 'tool_result', tool_use_id: update['toolCallId'], content, is_error: status === 'failed' }
    this.#message('user', block)
  }

  /**
   * Merges an update into its call, and emits a new call. Fields that are null, missing or empty change nothing: some
   * programs request permission with an empty input for a call that they have already described.
   */
  #merged(update: Frame): Call | null {
    const id = textAt(update, 'toolCallId')
    if (id === null || id === '' || id.length > LONGEST_ID) return null
    const known = this.#calls.get(id)
    const given = Object.fromEntries(Object.entries(update).filter(([, value]) => !isEmpty(value)))
    if (known) {
      known.call = { ...known.call, ...given }
      return known
    }
    if (this.#calls.size >= MOST_CALLS) return null
    const added = { call: given, allowed: false, over: false }
    this.#calls.set(id, added)
    this.#answer = ''
    this.#message('assistant', { type: 'tool_use', id, ...toolOf(given) })
    return added
  }

  #message(role: 'assistant' | 'user', block: Frame): void {
    const message = { role, content: [block] }
    this.#emit({ type: role, message, session_id: this.sessionId, parent_tool_use_id: null, uuid: randomUUID() })
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** The readable text of the content block in `holder`. */
function textOf(holder: Frame): string {
  const content = objectAt(holder, 'content')
  const text = textAt(content, 'text') ?? textAt(objectAt(content, 'resource'), 'text')
  if (text !== null) return text
  return content['type'] === 'resource_link' ? (textAt(content, 'uri') ?? '') : ''
}

/** What a tool gave, as text. */
function outcomeOf(call: Frame): string {
  const texts = contentBlocks(call).map((part) =>
    part['type'] === 'diff' ? `changed ${textAt(part, 'path') ?? 'a file'}` : textOf(part),
  )
  const text = texts.filter((each) => each !== '').join('\n')
  const { rawOutput } = call
  if (text !== '' || rawOutput === undefined) return text
  return typeof rawOutput === 'string' ? rawOutput : JSON.stringify(rawOutput)
}
