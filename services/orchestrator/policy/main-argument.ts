// What a tool call is about, as a person would read it.
import { writtenPath } from './file-targets.ts'

const MEMBER: Record<string, string> = {
  Bash: 'command',
  WebFetch: 'url',
  WebSearch: 'query',
  Agent: 'subagent_type',
  Task: 'subagent_type',
  Skill: 'skill',
}

/** The argument by which a call is known; the whole input where there is none. */
export function mainArgument(tool: string, input: unknown): string {
  const members = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>
  const value = Object.hasOwn(MEMBER, tool) ? members[MEMBER[tool] ?? ''] : writtenPath(tool, members)
  return typeof value === 'string' ? value : JSON.stringify(input ?? {})
}
