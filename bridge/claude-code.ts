// Adapter of runtime `claude-code`: makes the CLI ask before every tool.
import coerce from 'semver/functions/coerce.js'
import gte from 'semver/functions/gte.js'
import { TOOL_NAMES, TOOL_SERVER } from '../schemas/docstore/tools.ts'
import type { Launch } from '../schemas/agent/launch.ts'

/** First version in which the single rule `*` makes every tool ask. */
const STAR_SINCE = '2.1.329'

/** First version whose `/clear` drops old messages; earlier ones keep sending them. */
const CLEARS_SINCE = '2.1.329'

/** Older versions ask only for listed tools. */
export const ASKED_TOOLS: readonly string[] = (
  'Agent AskUserQuestion Bash BashOutput CronCreate CronDelete CronList Edit EnterPlanMode ' +
  'EnterWorktree ExitPlanMode ExitWorktree Glob Grep KillShell ListAgents ListMcpResources LSP Monitor ' +
  'MultiEdit NotebookEdit NotebookRead Read ReadMcpResource RemoteTrigger ReportFindings ScheduleWakeup ' +
  'SendMessage Skill SlashCommand Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate ' +
  'TeamCreate TeamDelete TodoRead TodoWrite ToolSearch WebFetch WebSearch Workflow Write'
)
  .split(' ')
  .concat(TOOL_NAMES.map((name) => `mcp__${TOOL_SERVER}__${name}`))

const STREAMING = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
const ASKING = ['--permission-prompt-tool', 'stdio']
/** Asks before tools and ignores settings of the repository. */
const CAREFUL = ['--permission-mode', 'default', '--setting-sources', 'user']

/** Reads the working directory's CLAUDE.md, which `--setting-sources user` excludes. */
const VARIABLES = { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1' }

const PROTOCOL_VARIABLES = {
  ...VARIABLES,
  CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
  /** One result per prompt: no background work after it. */
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
}

/**
 * Settings of the repository are excluded: they could run hooks and servers without approval. Its CLAUDE.md is only
 * text.
 */
export function claudeCommand(launch: Launch): string[] {
  const settings = ['--settings', JSON.stringify({ permissions: { ask: ['*', ...ASKED_TOOLS] } })]
  return [...claudeProgram(launch), ...STREAMING, ...ASKING, ...CAREFUL, ...settings, ...chosen(launch)]
}

/** Command line for a person at the terminal, who decides on every tool. */
export function claudeTerminalCommand(launch: Launch): string[] {
  return [...claudeProgram(launch), ...CAREFUL, ...chosen(launch)]
}

function chosen(launch: Launch): string[] {
  return [
    '--mcp-config',
    JSON.stringify({ mcpServers: { [TOOL_SERVER]: toolServer(launch) } }),
    ...[launch.directory, ...launch.additional_dirs].flatMap((directory) => ['--add-dir', directory]),
    ...(launch.system_prompt ? ['--append-system-prompt', launch.system_prompt] : []),
    ...(launch.model ? ['--model', launch.model] : []),
    ...(launch.resume_session ? ['--resume', launch.resume_session] : []),
  ]
}

/** Arguments are visible to every user, so the token is passed in the environment. */
const toolServer = ({ tools_url, agent_id }: Launch) => ({
  type: 'http',
  url: tools_url,
  headers: { 'X-Svc-Agent': agent_id, Authorization: 'Bearer ${SVC_TOOLS_TOKEN}' },
})

export function claudeProgram({ command: [program = 'claude', ...args] }: Launch): [string, ...string[]] {
  return [program, ...args]
}

export function claudeEnvironment(
  env: NodeJS.ProcessEnv,
  { interactive }: Pick<Launch, 'interactive'>,
): NodeJS.ProcessEnv {
  return { ...env, ...(interactive ? VARIABLES : PROTOCOL_VARIABLES) }
}

export function asksForEverythingByStar(version: string): boolean {
  return isSince(version, STAR_SINCE)
}

export function clearsContext(version: string | null): boolean {
  return version !== null && isSince(version, CLEARS_SINCE)
}

/** `version` is as printed: `2.1.329 (Claude Code)`. */
function isSince(version: string, first: string): boolean {
  const found = coerce(version)
  return found !== null && gte(found, first)
}
