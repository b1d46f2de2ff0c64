// What the transcript keeps of an agent's frames.
import { createHash } from 'node:crypto'
import type { Pieces } from '../../../platform/async/time-slices.ts'
import type { agentFrames } from '../../../schemas/frames/agent-frame.ts'
import type { TranscriptEntry } from '../../../schemas/agent/transcript.ts'
import { errorTexts } from '../events/streams.ts'
import type { Frame } from '../session/frame.ts'

/** An entry without id, turn and time. */
export interface Draft {
  type: TranscriptEntry['type']
  /** Fields besides the text. */
  fields: Record<string, unknown>
  /** Whole text; of a tool call, the JSON of its input. */
  text: string
  /** Characters of the text that another table has. */
  elsewhere?: number
  /** The same after a repeat, also to a later daemon; undefined if there is none. At most 100 characters. */
  origin?: string | undefined
}

export interface FrameDraft extends Draft {
  /** SHA-256 of the text, hexadecimal. */
  digest: string
}

/** `other`: types that the protocol does not define. */
export type FrameKind = keyof typeof agentFrames | 'other'

const LONGEST_NAME = 256
/** Characters. */
const HASHED_AT_ONCE = 512 * 1024
/** Entries of a frame; its other blocks are one more, as JSON. */
const MOST_BLOCKS = 200

/** Returns the entries of a frame; none if it has nothing to keep. */
type Reading = (frame: Frame) => Draft[]

const nothing: Reading = () => []

/** Each type of frame; a comment says why one has nothing to keep. */
const READINGS: Record<FrameKind, Reading> = {
  assistant: (frame) => blocksOf(frame, 'assistant'),
  user: (frame) => blocksOf(frame, 'user'),
  result: (frame) => [resultOf(frame)],
  system: (frame) => systemOf(frame),
  control_request: (frame) =>
    frame.request?.subtype === 'can_use_tool' ? [toolCall(requestedCall(frame.request), frame)] : [],
  /** Changes the state of an approval. */
  control_cancel_request: nothing,
  /** Answers the daemon. */
  control_response: nothing,
  /** The daemon reports the cleared context. */
  conversation_reset: nothing,
  /** The daemon reports it once it is recorded. */
  sandbox_refused: nothing,
  keep_alive: nothing,
  other: nothing,
}

export const frameKind = ({ type }: Frame): FrameKind =>
  Object.hasOwn(READINGS, String(type)) ? (type as FrameKind) : 'other'

/** Yields only while it reads a text that is longer than a slice takes. */
export function* draftsOf(frame: Frame, turnId: string | null): Pieces<FrameDraft[]> {
  const drafts: FrameDraft[] = []
  for (const [part, draft] of READINGS[frameKind(frame)](frame).entries()) {
    const digest = yield* sha256Of(draft.text)
    drafts.push({ ...draft, digest, origin: originOf(frame, { ...draft, digest, part, turnId }) })
  }
  return drafts
}

/** A part never ends within a surrogate pair, so the digest is that of the whole text. */
function* sha256Of(text: string): Pieces<string> {
  const hash = createHash('sha256')
  for (let from = 0; from < text.length;) {
    const isPairCut = /[\ud800-\udbff]/.test(text.charAt(from + HASHED_AT_ONCE - 1))
    const to = from + HASHED_AT_ONCE + (isPairCut ? 1 : 0)
    hash.update(text.slice(from, to))
    from = to
    if (from < text.length) yield
  }
  return hash.digest('hex')
}

/** The agent chooses its ids, so an origin also depends on the content. The turn of a repeated frame may have ended. */
function originOf(
  frame: Frame,
  { type, fields, digest, part, turnId }: FrameDraft & { part: number; turnId: string | null },
): string | undefined {
  const content = [type, fields, digest]
  if (frame.type === 'control_request')
    return `request:${sha256(JSON.stringify([turnId, frame.request_id, ...content]))}`
  return frame.uuid ? `frame:${sha256(JSON.stringify([frame.uuid, part, ...content]))}` : undefined
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Reports of the program about itself. Other subtypes describe its current state. */
const SYSTEM: Record<string, 'error' | 'notice'> = {
  api_retry: 'error',
  permission_denied: 'error',
  tool_unasked: 'error',
  compact_boundary: 'notice',
  plan: 'notice',
}

function systemOf({ type: _type, subtype, uuid: _uuid, session_id: _session, ...members }: Frame): Draft[] {
  const type = Object.hasOwn(SYSTEM, String(subtype)) ? SYSTEM[String(subtype)] : undefined
  return type ? [note(type, String(subtype), JSON.stringify(members))] : []
}

export const note = (type: 'error' | 'notice', code: string, text: string): Draft => ({ type, fields: { code }, text })

function blocksOf(frame: Frame, role: 'assistant' | 'user'): Draft[] {
  const content: unknown = frame.message?.content
  if (typeof content === 'string') return textOf(role, content, frame)
  if (!Array.isArray(content)) return []
  const entries = content.slice(0, MOST_BLOCKS).flatMap((block: Frame) => blockOf(block, role, frame))
  const rest = content.slice(MOST_BLOCKS)
  return rest.length === 0 ? entries : [...entries, ...textOf(role, JSON.stringify(rest), frame)]
}

function blockOf(block: Frame, role: 'assistant' | 'user', frame: Frame): Draft[] {
  switch (block.type) {
    case 'text':
      return textOf(role, asText(block.text), frame)
    case 'thinking':
      return textOf('thinking', asText(block.thinking ?? block.text), frame)
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return [toolCall({ id: block.id, name: block.name, input: block.input }, frame)]
    case 'tool_result':
    case 'mcp_tool_result': {
      const fields = { call_id: idOf(block.tool_use_id), is_error: block.is_error === true, ...parentOf(frame) }
      return [{ type: 'tool_result', fields, text: resultText(block.content) }]
    }
    default:
      return textOf(role, JSON.stringify(block), frame)
  }
}

const textOf = (from: 'assistant' | 'thinking' | 'user', text: string, frame: Frame): Draft[] =>
  text === '' ? [] : [{ type: 'text', fields: { from, ...parentOf(frame) }, text }]

interface Call {
  id: unknown
  name: unknown
  input: unknown
}

const requestedCall = ({ tool_use_id: id, tool_name: name, input }: Frame): Call => ({ id, name, input })

function toolCall({ id, name, input }: Call, frame: Frame): Draft {
  const fields = { call_id: idOf(id), tool_name: asText(name).slice(0, LONGEST_NAME), ...parentOf(frame) }
  return { type: 'tool_call', fields, text: JSON.stringify(input ?? {}) }
}

function resultOf(frame: Frame): Draft {
  const [reason, subtype] = [idOf(frame.terminal_reason), idOf(frame.subtype)]
  const origin: unknown = frame.origin?.kind ?? frame.origin ?? null
  const fields = {
    status: frame.is_error ? 'failed' : 'completed',
    reason: reason ?? subtype,
    origin: origin === null ? null : asText(origin).slice(0, LONGEST_NAME),
    num_turns: frame.num_turns ?? null,
    duration_ms: frame.duration_ms ?? null,
  }
  const text = typeof frame.result === 'string' ? frame.result : errorTexts(frame.errors).join('; ')
  return { type: 'result', fields, text }
}

/** Texts are joined; other content is shown as JSON. */
function resultText(content: unknown): string {
  if (!Array.isArray(content)) return asText(content)
  const texts = content.map((block: Frame | null) => (block?.type === 'text' ? asText(block.text) : asText(block)))
  return texts.join('\n')
}

const parentOf = ({ parent_tool_use_id: id }: Frame) => ({ parent_call_id: idOf(id) })

const idOf = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, LONGEST_NAME) : null)

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
