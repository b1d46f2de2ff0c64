// Frames of agent programs: the fields that the daemon reads, with limits; others are relayed unread.
import * as Type from 'typebox'

/** Programs write null for empty values. */
const text = (maxLength: number) => Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength })
const anyText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const flag = Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })
const figure = Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: -1e15, maximum: 1e15 })
const optional = (members: Record<string, Type.TSchema>): Record<string, Type.TSchema> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, Type.Optional(member)]))

/** An object with these known fields; null counts as missing. */
const maybe = (members: Record<string, Type.TSchema>, required: string[] = []) =>
  Type.Unsafe({ type: ['object', 'null'], properties: members, required })

const NAME = 256
const name = text(NAME)
const id = Type.String({ minLength: 1, maxLength: NAME })

const frame = (members: Record<string, Type.TSchema>, required: Record<string, Type.TSchema> = {}) =>
  Type.Object(
    {
      type: Type.String({ minLength: 1, maxLength: 64 }),
      ...optional({ uuid: name, session_id: name, ...members }),
      ...required,
    },
    { additionalProperties: true },
  )

/** Blocks in tool results are not checked further; the depth of the whole frame is limited. */
const blocks = {
  type: ['array', 'string', 'null'],
  items: {
    type: 'object',
    properties: { type: name, text: anyText, name, content: { type: ['array', 'string', 'object', 'null'] } },
  },
}
const message = Type.Unsafe<object>({ type: 'object', properties: { role: name, content: blocks } })

const toolRequest = {
  type: 'object',
  required: ['subtype'],
  properties: { subtype: id, input: { type: ['object', 'null'] }, tool_use_id: name },
  if: { properties: { subtype: { const: 'can_use_tool' } } },
  // eslint-disable-next-line unicorn/no-thenable
  then: { required: ['tool_name'], properties: { tool_name: { ...id, pattern: '^[^\\u0000-\\u001f\\u007f]+$' } } },
}
const controlRequest = frame({}, { request_id: id, request: Type.Unsafe<object>(toolRequest) })

const initialized = maybe(
  optional({ session_state: name, claude_code_version: name, agent_version: name, current_permission_mode: name }),
)
const answer = Type.Unsafe<object>({
  type: 'object',
  required: ['request_id'],
  properties: {
    subtype: name,
    request_id: id,
    error: anyText,
    response: initialized,
    pending_permission_requests: { type: ['array', 'null'], maxItems: 1000, items: controlRequest },
  },
})

const usage = maybe({
  input_tokens: figure,
  output_tokens: figure,
  cache_read_input_tokens: figure,
  cache_creation_input_tokens: figure,
})

/** By `type`; other types only need to match `anyFrame` and are relayed. */
export const agentFrames = {
  system: frame({
    subtype: name,
    state: name,
    claude_code_version: name,
    agent_version: name,
    permissionMode: name,
    guarded: flag,
    guard_reason: text(8192),
    last_prompt: name,
    // The bridge sends an object; claude sends a list.
    capabilities: Type.Unsafe({ type: ['object', 'array', 'null'], properties: { clears_context: flag } }),
  }),
  assistant: frame({}, { message }),
  user: frame({}, { message }),
  control_request: controlRequest,
  control_cancel_request: frame({}, { request_id: id }),
  control_response: frame({}, { response: answer }),
  conversation_reset: frame({}),
  result: frame({
    subtype: name,
    is_error: flag,
    result: anyText,
    errors: Type.Unsafe<unknown[] | null>({ type: ['array', 'null'], maxItems: 1000 }),
    terminal_reason: name,
    num_turns: figure,
    duration_ms: figure,
    duration_api_ms: figure,
    total_cost_usd: figure,
    usage,
  }),
  /** Of the bridge: connections to a host that `network.hosts` does not allow, at most once a minute for a host. */
  sandbox_refused: frame(
    {},
    {
      host: Type.String({ minLength: 1, maxLength: 253 }),
      port: Type.Integer({ minimum: 0, maximum: 65_535 }),
      count: Type.Integer({ minimum: 1, maximum: 1e9 }),
    },
  ),
  keep_alive: frame({}),
} satisfies Record<string, Type.TSchema>

export const anyFrame = frame({})
