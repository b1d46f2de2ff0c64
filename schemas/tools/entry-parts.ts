// Parts of a tool policy entry. Clients load this file: it has no parser of commands.

export interface ToolEntryParts {
  /** Tool name; for MCP tools `mcp__server` or a name with `*`. */
  tool: string
  /** Text in parentheses, or null. */
  pattern: string | null
}

const ENTRY = /^([A-Za-z_][A-Za-z0-9_.-]*\*?)(?:\(([\s\S]*)\))?$/

/** Null if the entry is malformed. */
export function parseToolEntry(entry: string): ToolEntryParts | null {
  const [, tool, pattern] = ENTRY.exec(entry) ?? []
  if (tool === undefined || (tool.includes('*') && !tool.startsWith('mcp__'))) return null
  return { tool, pattern: pattern ?? null }
}

/** Expands a trailing `:*`. */
export function bashPattern(pattern: string): string {
  return pattern.trim().replace(/\s*:\*$/, ' *')
}
