// Grammar of tool policy entries, and checks for entries that can never match.
import { forEachChild, parse, type SyntaxNode } from 'unbash'
import { bashPattern, parseToolEntry } from './entry-parts.ts'

export { bashPattern, parseToolEntry, type ToolEntryParts } from './entry-parts.ts'

/** Known tools, used only to detect typos; other tools are allowed. */
export const KNOWN_TOOLS: readonly string[] = `
  Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree Glob Grep
  KillBash KillShell LS ListMcpResourcesTool MultiEdit NotebookEdit NotebookRead PowerShell Read
  ReadMcpResourceTool SendMessage Skill SlashCommand Task TaskCreate TaskGet TaskList TaskOutput TaskStop
  TaskUpdate TodoRead TodoWrite ToolSearch WebFetch WebSearch Write
`
  .trim()
  .split(/\s+/)

export interface EntryFault {
  message: string
  hint: string
}

/** Error of an entry that is malformed or can never match, or null. `allow` entries match narrowly, `deny` widely. */
export function entryFault(
  entry: string,
  reading: 'allow' | 'deny',
  meant: (name: string) => string | null,
): EntryFault | null {
  const parts = parseToolEntry(entry)
  if (!parts) {
    return {
      message: `"${entry}" is not a tool entry`,
      hint: 'write a tool name such as Read, mcp__server or mcp__server__*, or Tool(pattern) such as Bash(git log *)',
    }
  }
  const { tool, pattern } = parts
  const never = (why: string, hint: string) => ({ message: `"${entry}" can never match: ${why}`, hint })
  const near = KNOWN_TOOLS.includes(tool) || tool.startsWith('mcp__') ? null : meant(tool)
  if (near !== null) return never(`there is no tool ${tool}`, `did you mean "${near}"?`)
  if (/^mcp_[^_]|^mcp__(__.*)?$|^mcp__\*$/.test(tool))
    return never('it names no server', 'write mcp__server, mcp__server__* or mcp__server__tool')
  if (pattern === null) return null
  if (pattern.trim() === '')
    return never('its pattern is empty', `write ${tool} for every use, or a pattern in the parentheses`)
  if (tool === 'Bash') return bashFault(pattern, reading, never)
  if (tool === 'WebFetch') return urlFault(pattern, never)
  return null
}

type Never = (why: string, hint: string) => EntryFault

function bashFault(pattern: string, reading: 'allow' | 'deny', never: Never): EntryFault | null {
  const command = bashPattern(pattern)
  if (command.includes(':*')) return never('":*" is only allowed at the end', 'write Bash(git push:*)')
  const parsed = parse(command)
  const fault = parsed.errors?.[0]
  if (fault || parsed.commands.length === 0)
    return never(
      `${JSON.stringify(command)} is not a shell command${fault ? ` (${fault.message})` : ''}`,
      'write it as in a shell',
    )
  if (reading === 'deny' || !command.includes('*')) return null
  const [only] = parsed.commands
  if (only?.command.type === 'Pipeline' && only.command.prefixes.length > 0)
    return never('"time" and "!" are not commands', 'write the command itself')
  const expansion = firstExpansion(parsed)
  return expansion === null
    ? null
    : never(
        `${expansion} is unknown before the command runs`,
        'an allow list matches only literal words; write the command out',
      )
}

const EXPANSIONS = new Set([
  'SimpleExpansion',
  'ParameterExpansion',
  'CommandExpansion',
  'ProcessSubstitution',
  'ArithmeticExpansion',
])

function firstExpansion(node: SyntaxNode): string | null {
  if (EXPANSIONS.has(node.type)) return 'text' in node ? node.text : node.type
  let found: string | null = null
  forEachChild(node, (child) => {
    found ??= firstExpansion(child)
  })
  return found
}

function urlFault(pattern: string, never: Never): EntryFault | null {
  if (pattern.startsWith('domain:')) {
    if (/^domain:[^\s/?#@\\:]+(:(\d+|\*))?$/.test(pattern)) return null
    return never('"domain:" needs a host name', 'write WebFetch(domain:example.com)')
  }
  if (pattern.startsWith('*') || /^[A-Za-z][A-Za-z0-9+.*-]*:\/\/[^/\s]+/.test(pattern)) return null
  return never(
    'it is neither a host nor a URL',
    'write WebFetch(domain:example.com) or WebFetch(https://example.com/*)',
  )
}
