// Patterns of tool policies: one entry against one tool request. Pure, and linear in practice.
import { posix } from 'node:path'

export interface Place {
  workingDir: string
  home: string
}

/** `allow` entries are read narrowly, `deny` entries widely: when in doubt a tool does not run. */
export type Reading = 'allow' | 'deny'

const FILE_ARGUMENT: Record<string, string> = {
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
  Grep: 'path',
  Glob: 'path',
  LS: 'path',
}
/** Tools that act on the working directory when no path is given. */
const DEFAULTS_TO_WORKING_DIR = new Set(['Grep', 'Glob', 'LS'])
/** One tool, two names: it is listed as Task and asks as Agent. */
const SYNONYMS: Record<string, string> = { Task: 'Agent' }
const SHELL_CONTROL = new Set([';', '&', '|', '<', '>', '`', '\n', '\r'])
const URL_HOST_END = new Set(['/', '?', '#', '@', '\\'])
/** Words that run what stands behind them. */
const RUNNERS =
  /^(?:(?:sudo|env|command|builtin|exec|nohup|time|if|then|else|elif|do|while|until|!)\s+|[A-Za-z_][A-Za-z0-9_]*=(?:"[^"]*"|'[^']*'|[^\s]*)\s+)/

/** The argument that says what a tool call is about, as a person would read it. */
export function mainArgument(tool: string, input: unknown): string {
  const members = (input ?? {}) as Record<string, unknown>
  const name = tool === 'Bash' ? 'command' : tool === 'WebFetch' ? 'url' : FILE_ARGUMENT[tool]
  const value = name === undefined ? undefined : members[name]
  if (typeof value === 'string') return value
  return JSON.stringify(input ?? {})
}

/** Whether an entry (`Tool` or `Tool(pattern)`) covers a request. */
export function entryCovers(entry: string, tool: string, input: unknown, reading: Reading, place: Place): boolean {
  const [, name, pattern] = /^([^(]+)(?:\(([\s\S]*)\))?$/.exec(entry) ?? []
  if (name === undefined || sameTool(name) !== sameTool(tool)) return false
  if (pattern === undefined) return true
  if (tool === 'Bash') return bashCovers(pattern, mainArgument(tool, input), reading)
  if (FILE_ARGUMENT[tool] !== undefined)
    return fileCovers(pattern, tool, (input ?? {}) as Record<string, unknown>, reading, place)
  if (tool === 'WebFetch') return urlCovers(pattern, mainArgument(tool, input), reading)
  return glob(pattern, mainArgument(tool, input))
}

const sameTool = (name: string) => SYNONYMS[name] ?? name

/** In an allow list `*` never spans shell control, so that `git log *` is no way to `git log; rm -rf x`. */
function bashCovers(pattern: string, command: string, reading: Reading): boolean {
  if (reading === 'allow') return glob(pattern, command, (at) => !isShellControl(command, at))
  return commandReadings(command).some((candidate) => glob(pattern, candidate) || glob(pattern, `${candidate} `))
}

function isShellControl(text: string, at: number): boolean {
  const character = text[at]!
  return SHELL_CONTROL.has(character) || (character === '(' && text[at - 1] === '$')
}

/** The whole command, and each command inside it with its assignments, quotes and path taken off. */
function commandReadings(command: string): string[] {
  const readings = new Set([command, command.trim()])
  for (const segment of command.split(/[;&|<>`\n\r(){}]|\$\(/)) {
    let rest = segment.replace(/\s+/g, ' ').trim()
    readings.add(rest)
    while (RUNNERS.test(rest)) {
      rest = rest.replace(RUNNERS, '')
      readings.add(rest)
    }
    const unquoted = rest.replace(/["'\\]/g, '')
    readings.add(unquoted)
    readings.add(unquoted.replace(/^\S*\//, ''))
  }
  readings.delete('')
  return [...readings]
}

function fileCovers(
  pattern: string,
  tool: string,
  input: Record<string, unknown>,
  reading: Reading,
  place: Place,
): boolean {
  const given = input[FILE_ARGUMENT[tool]!]
  if (typeof given !== 'string' && !DEFAULTS_TO_WORKING_DIR.has(tool)) return reading === 'deny'
  const path = absolute(typeof given === 'string' ? given : '.', place)
  const paths = [path]
  // A Glob can leave its path by its own pattern.
  if (tool === 'Glob' && typeof input.pattern === 'string' && /^\/|^~|\.\./.test(input.pattern))
    paths.push(absolute(input.pattern, { ...place, workingDir: path }))
  const wanted = pattern.startsWith('*') ? pattern : absolute(pattern, place)
  const covered = (candidate: string) => glob(wanted, candidate)
  return reading === 'allow' ? paths.every(covered) : paths.some(covered)
}

function absolute(path: string, place: Place): string {
  const fromHome = path === '~' || path.startsWith('~/') ? place.home + path.slice(1) : path
  const resolved = posix.resolve(place.workingDir, fromHome)
  return path.endsWith('/') && !resolved.endsWith('/') ? `${resolved}/` : resolved
}

/** In an allow list a `*` among the host's letters never reaches into the path. */
function urlCovers(pattern: string, url: string, reading: Reading): boolean {
  const normal = URL.canParse(url) ? new URL(url).href : url
  if (reading === 'deny') return glob(pattern, url) || glob(pattern, normal)
  const hostStarts = pattern.indexOf('://') + 3
  const hostEnds = pattern.indexOf('/', hostStarts)
  const inHost = (star: number) => hostStarts >= 3 && star >= hostStarts && star < hostEnds
  return glob(pattern, normal, (at, star) => !inHost(star) || !URL_HOST_END.has(normal[at]!))
}

/**
 * Whether `pattern` matches the whole of `text`; `*` matches any run of characters that `mayCover`
 * lets it (called with the place in the text and the star's place in the pattern). Goes back to the
 * last star only, so it never takes more than length times length steps.
 */
export function glob(
  pattern: string,
  text: string,
  mayCover: (at: number, star: number) => boolean = () => true,
): boolean {
  let [p, t, star, resume] = [0, 0, -1, 0]
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++
      resume = t
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++
      t++
    } else if (star >= 0 && mayCover(resume, star)) {
      t = ++resume
      p = star + 1
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
