export interface WrittenCall {
  tool: string
  input: Record<string, unknown>
}

/** Field of the argument of a tool, as the policy judges it. */
const FIELDS: Readonly<Record<string, string>> = {
  Bash: 'command',
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
  Grep: 'pattern',
  Glob: 'pattern',
  WebFetch: 'url',
  WebSearch: 'query',
}

function inputOf(tool: string, text: string): Record<string, unknown> {
  const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : null
  if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>
  const field = FIELDS[tool]
  if (field === undefined) throw new SyntaxError(`write the input of ${tool} as JSON: ${tool}: {"field": "value"}`)
  return { [field]: text }
}

/** Reads a call: "Bash: git push", "Read: .env", "WebFetch: {…}". A line without a tool is a command. Throws a SyntaxError. */
export function callOf(line: string): WrittenCall {
  const [, tool = 'Bash', text = ''] = /^\s*(?:([A-Za-z_][\w-]*):\s+)?([^]*?)\s*$/.exec(line) ?? []
  if (text === '') throw new SyntaxError('write a call, such as Bash: git push origin main')
  return { tool, input: inputOf(tool, text) }
}
