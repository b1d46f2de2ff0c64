// Folders in which programs keep their logins, settings and conversations.
import { copyFileSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Launch } from '../../schemas/agent/launch.ts'

/** A folder of the agent that is mounted in another place. */
export interface PrivateFolder {
  source: string
  target: string
}

export interface ProgramState {
  write: string[]
  /** Inside `write`: a setting can name a program that would then run outside. */
  readonly: string[]
  folders: PrivateFolder[]
  env: Record<string, string>
}

interface Table {
  folder: string
  /** Files by their content if they are missing; null: a folder. */
  readonly: Record<string, string | null>
  /** Folders with conversations of others. */
  private: string[]
}

const list = (names: string, content: string | null) =>
  Object.fromEntries(names.split(' ').map((name) => [name, content]))

const CLAUDE: Table = {
  folder: '.claude',
  readonly: {
    ...list('settings.json settings.local.json', '{}\n'),
    'CLAUDE.md': '',
    ...list('hooks commands agents skills plugins output-styles', null),
  },
  private: ['projects', 'file-history'],
}

/** By program. Of others, `write` names the folders. */
const TABLES: Record<string, Table> = {
  claude: CLAUDE,
  codex: {
    folder: '.codex',
    readonly: {
      ...list('config.toml AGENTS.md', ''),
      'hooks.json': '{}\n',
      ...list('prompts skills rules', null),
    },
    private: [],
  },
  gemini: {
    folder: '.gemini',
    readonly: { 'settings.json': '{}\n', 'GEMINI.md': '', ...list('commands extensions skills', null) },
    private: [],
  },
  qwen: {
    folder: '.qwen',
    readonly: { 'settings.json': '{}\n', 'QWEN.md': '', ...list('commands extensions skills', null) },
    private: [],
  },
  opencode: { folder: '.local/share/opencode', readonly: {}, private: [] },
  copilot: { folder: '.copilot', readonly: list('config.json mcp-config.json', '{}\n'), private: [] },
}

/** Variables with which Claude Code needs no login. */
const CLAUDE_KEYS = `
  ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX
  CLAUDE_CODE_USE_FOUNDRY`
  .trim()
  .split(/\s+/)

/** Where the folder of an agent with a key is, inside. */
const CLAUDE_INSIDE = '/tmp/.claude-of-agent'

/**
 * `folder` holds what is the agent's own. Makes what is missing of the program's folder: what does not exist could not be
 * mounted, and the program would make it.
 */
export function programState(
  { runtime, command }: Pick<Launch, 'runtime' | 'command'>,
  env: NodeJS.ProcessEnv,
  home: string,
  folder: string,
): ProgramState {
  const name =
    runtime === 'claude-code' ? 'claude' : basename(command[0] ?? '').replace(/(-(acp|agent|cli|code))+$/, '')
  const table = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined
  if (!table) return { write: [], readonly: [], folders: [], env: {} }
  if (table === CLAUDE && env['CLAUDE_CONFIG_DIR'] === undefined && CLAUDE_KEYS.some((key) => env[key]))
    return claudeWithKey(home, folder)
  const own = table === CLAUDE ? env['CLAUDE_CONFIG_DIR'] : undefined
  return stateIn(own ?? join(home, table.folder), table, folder)
}

function stateIn(root: string, table: Table, folder: string): ProgramState {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const inside = Object.entries(table.readonly).map(([name, content]) => present(join(root, name), content))
  const folders = table.private.map((name) => ({
    source: present(join(folder, name), null),
    // bwrap does not follow an absolute link in a target.
    target: realpathSync(present(join(root, name), null)),
  }))
  return { write: [root], readonly: inside, folders, env: {} }
}

function claudeWithKey(home: string, folder: string): ProgramState {
  const source = present(join(folder, 'claude'), null)
  const settings = join(home, CLAUDE.folder, 'settings.json')
  if (existsSync(settings)) copyFileSync(settings, join(source, 'settings.json'))
  const folders = [{ source, target: CLAUDE_INSIDE }]
  return { write: [], readonly: [], folders, env: { CLAUDE_CONFIG_DIR: CLAUDE_INSIDE } }
}

/** Makes the path if it is missing: a folder, or a file with `content`. */
function present(path: string, content: string | null): string {
  if (existsSync(path)) return path
  if (content === null) mkdirSync(path, { recursive: true, mode: 0o700 })
  else {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 })
  }
  return path
}
