// Transcript of an agent: its texts, tool calls and turns in order.
import * as Type from 'typebox'
import { APPROVAL_STATUSES } from '../tools/approval.ts'
import { namedObject, nullableText, orNull } from '../shapes.ts'
import { MESSAGE_KINDS, MESSAGE_STATUSES } from './message.ts'

/** Characters of a text in an entry; the whole text of a longer one has an address. */
export const LONGEST_ENTRY_TEXT = 256 * 1024

const common = {
  id: Type.String({ format: 'uuid', description: 'Ids of an agent sort in the order of its entries' }),
  turn_id: orNull(Type.String(), 'Message or task prompt that the agent worked on; null outside a turn'),
  at: Type.String({ format: 'date-time' }),
}

const textMembers = {
  text: Type.String({ description: `First ${LONGEST_ENTRY_TEXT} characters` }),
  length: Type.Integer({ description: 'Characters of the whole text' }),
  truncated: Type.Boolean({ description: 'The whole text is at `/agents/{id}/transcript/{entry}/content`' }),
}

const parent = orNull(Type.String(), 'Tool call whose subagent this is from')
const callId = orNull(Type.String({ maxLength: 256 }), 'Id that the agent gave the call; null if it gave none')

const TranscriptTurn = namedObject('TranscriptTurn', {
  ...common,
  type: Type.Literal('turn', { description: 'A prompt was sent: a turn begins' }),
  kind: Type.Enum([...MESSAGE_KINDS]),
  dispatch_id: nullableText,
  status: orNull(Type.Enum([...MESSAGE_STATUSES]), 'Now; null if the prompt is no longer kept'),
  error: nullableText,
  done_at: nullableText,
  ...textMembers,
})

const TranscriptText = namedObject('TranscriptText', {
  ...common,
  type: Type.Literal('text'),
  from: Type.Enum(['assistant', 'thinking', 'user'], {
    description: 'user: the program itself, in the role of the user',
  }),
  parent_call_id: parent,
  ...textMembers,
})

const TranscriptToolCall = namedObject('TranscriptToolCall', {
  ...common,
  type: Type.Literal('tool_call'),
  call_id: callId,
  tool_name: Type.String(),
  input: Type.Unknown({ description: 'If truncated: the first characters of its JSON, as text' }),
  parent_call_id: parent,
  length: Type.Integer({ description: 'Characters of its JSON' }),
  truncated: textMembers.truncated,
})

const TranscriptToolResult = namedObject('TranscriptToolResult', {
  ...common,
  type: Type.Literal('tool_result'),
  call_id: callId,
  is_error: Type.Boolean(),
  parent_call_id: parent,
  ...textMembers,
})

const TranscriptApproval = namedObject('TranscriptApproval', {
  ...common,
  type: Type.Literal('approval', { description: 'The policy left a tool request to a person' }),
  approval_id: Type.String({ format: 'uuid' }),
  call_id: callId,
  tool_name: Type.String(),
  status: orNull(Type.Enum([...APPROVAL_STATUSES]), 'Now; null if the approval is no longer kept'),
  decided_at: nullableText,
  decided_by: nullableText,
  reason: nullableText,
  delivered_at: nullableText,
})

const TranscriptResult = namedObject('TranscriptResult', {
  ...common,
  type: Type.Literal('result', { description: 'The agent ended a turn' }),
  status: Type.Enum(['completed', 'failed']),
  reason: orNull(Type.String(), 'Why it ended, as the agent names it'),
  origin: orNull(Type.String(), 'What began a turn without a prompt, such as a background task'),
  num_turns: orNull(Type.Number()),
  duration_ms: orNull(Type.Number()),
  repeats_text: Type.Boolean({ description: 'The text is that of the text entry before it, and empty here' }),
  ...textMembers,
})

const TranscriptNote = namedObject('TranscriptNote', {
  ...common,
  type: Type.Enum(['error', 'notice']),
  code: Type.String({ description: 'Such as `frame_refused`, `message_lost`, `api_retry` or `context_cleared`' }),
  ...textMembers,
})

/** A tool call, its approval and its result have the same `call_id`. */
export const TranscriptEntry = Type.Union(
  [
    TranscriptTurn,
    TranscriptText,
    TranscriptToolCall,
    TranscriptToolResult,
    TranscriptApproval,
    TranscriptResult,
    TranscriptNote,
  ],
  { $id: 'TranscriptEntry' },
)
export type TranscriptEntry = Type.Static<typeof TranscriptEntry>

export const TranscriptPage = namedObject('TranscriptPage', {
  items: Type.Array(TranscriptEntry, { description: 'Oldest first' }),
  next: orNull(Type.String(), 'Cursor of later entries, also of those still to come; null without entries'),
  previous: orNull(Type.String(), 'Cursor of earlier entries; null if there are none'),
  kept_since: orNull(
    Type.String({ format: 'date-time' }),
    'Time of the oldest entry that is kept; null without entries',
  ),
})
export type TranscriptPage = Type.Static<typeof TranscriptPage>
