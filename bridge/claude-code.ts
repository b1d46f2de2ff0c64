// The adapter of runtime `claude-code`: the arguments and variables under which the real CLI asks before every tool.
import coerce from 'semver/functions/coerce.js'
import gte from 'semver/functions/gte.js'
import { TOOL_NAMES, TOOL_SERVER } from '../schemas/docstore/tools.ts'
import type { Launch } from '../schemas/agent/launch.ts'

/** The first version for which the one rule `*` makes every tool ask. */
const STAR_SINCE = '2.1.329'

/** The first version whose `/clear` drops the old messages; earlier ones answer it, and go on sending them. */
const CLEARS_SINCE = '2.1.329'

/** Older versions ask for what is named. A tool that is not named here makes such an agent unguarded. */
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
/** It asks whoever can answer, and takes no settings from the repository. */
const CAREFUL = ['--permission-mode', 'default', '--setting-sources', 'user']

/** Reads CLAUDE.md of the working directory, which `--setting-sources user` leaves out with the settings there. */
const VARIABLES = { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1' }

/** Frames of the protocol that the orchestrator counts on. */
const PROTOCOL_VARIABLES = {
  ...VARIABLES,
  CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
  /** One result a prompt: nothing goes on in the background after it. */
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
}

/**
 * The command line. Settings come from the user's own file (login, environment) and from ours: those of the repository
 * could run hooks and servers that nobody was asked about. Its CLAUDE.md is text, and is read.
 */
export function claudeCommand(launch: Launch): string[] {
  const settings = ['--settings', JSON.stringify({ permissions: { ask: ['*', ...ASKED_TOOLS] } })]
  return [...claudeProgram(launch), ...STREAMING, ...ASKING, ...CAREFUL, ...settings, ...chosen(launch)]
}

/** The command line for a person at the terminal, who decides on every tool: the orchestrator is asked nothing. */
export function claudeTerminalCommand(launch: Launch): string[] {
  return [...claudeProgram(launch), ...CAREFUL, ...chosen(launch)]
}

/** What the agent's config chooses. */
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

/** Our own tools, asked as the agent that it is. Arguments are open to every user: the token is in the environment. */
const toolServer = ({ tools_url, agent_id }: Launch) => ({
  type: 'http',
  url: tools_url,
  headers: { 'X-Svc-Agent': agent_id, Authorization: 'Bearer ${SVC_TOOLS_TOKEN}' },
})

/** The program and its first arguments. */
export function claudeProgram(launch: Launch): string[] {
  return launch.command.length > 0 ? launch.command : ['claude']
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

/** False for a version that is not known. */
export function clearsContext(version: string | null): boolean {
  return version !== null && isSince(version, CLEARS_SINCE)
}

/** `version` as the program prints it: `2.1.329 (Claude Code)`. */
function isSince(version: string, first: string): boolean {
  const found = coerce(version)
  return found !== null && gte(found, first)
}
