/** MCP server name; agent programs see tools as `mcp__svc__doc_create`. */
export const TOOL_SERVER = 'svc'

export const TOOL_NAMES = [
  'doc_create',
  'doc_read',
  'doc_update',
  'doc_delete',
  'doc_list',
  'memory_remember',
  'memory_search',
  'memory_forget',
  'room_post',
  'room_read',
  'agents_list',
  'workflow_history',
  'drift_list',
  'plan_show',
  'why',
] as const
export type ToolName = (typeof TOOL_NAMES)[number]
