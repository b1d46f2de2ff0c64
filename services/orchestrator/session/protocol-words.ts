// The words that frames are made of: an agent whose secret is one of them is still understood.

/** Names of members and values that decide what a frame is. They are public, so showing them shows nothing. */
export const PROTOCOL_WORDS: ReadonlySet<string> = new Set(
  `type subtype uuid session_id request_id request response message content role text tool_use tool_result
  tool_use_id name input result is_error errors error usage num_turns total_cost_usd duration_ms duration_api_ms
  input_tokens output_tokens cache_read_input_tokens cache_creation_input_tokens state session_state idle
  running busy requires_action system init bridge session_state_changed assistant user control_request
  control_response control_cancel_request conversation_reset keep_alive stream_event event delta thinking
  partial_json content_block_delta content_block_start content_block_stop text_delta can_use_tool initialize
  interrupt success error_during_execution error_max_turns tool_name capabilities clears_context guarded
  guard_reason agent_version claude_code_version pending_permission_requests origin terminal_reason
  parent_tool_use_id permission_denials tool_input runtime model description`.split(/\s+/),
)
