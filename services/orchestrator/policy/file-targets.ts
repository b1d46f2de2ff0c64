// The files that a tool names, and whether an entry's pattern covers them.
import { posix } from 'node:path'
import { isWithin } from '../../../platform/files/closed-set.ts'
import { glob, literalPrefix } from './glob.ts'
import { absolute, type RequestPlace } from './workplace.ts'
import { PathLookups } from './real-path.ts'

/** `allow` entries are read narrowly, `deny` entries widely: when in doubt a tool does not run. */
export type Reading = 'allow' | 'deny'

const MEMBER: Record<string, string> = {
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookRead: 'notebook_path',
  NotebookEdit: 'notebook_path',
  Grep: 'path',
  Glob: 'path',
  LS: 'path',
}
/** They read whatever lies below the path that they are given; without one below the working directory. */
const WALKS = new Set(['Grep', 'Glob', 'LS'])
const WRITES = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])
const READS = new Set(['Read', 'NotebookRead', ...WALKS])

export const isFileTool = (tool: string): boolean => Object.hasOwn(MEMBER, tool)

export const writesFiles = (tool: string): boolean => WRITES.has(tool)

/** The path that a call of a file tool is about, as written. */
export function writtenPath(tool: string, input: Record<string, unknown>): string | null {
  const member = MEMBER[tool]
  const value = member === undefined ? undefined : input[member]
  return typeof value === 'string' ? value : null
}

/** A call of a tool, and how an entry is read for it. */
export interface ToolCall {
  tool: string
  input: Record<string, unknown>
  reading: Reading
  place: RequestPlace
  /** Of a file tool; null when they is not certain, and for other tools. */
  targets: Target[] | null
}

export interface Target {
  /** Every path that may be meant, real. */
  paths: string[]
  /** The tool goes on below. */
  walks: boolean
}

/** What a call of a file tool reaches; null when that is not certain. */
export function targetsOf(tool: string, input: Record<string, unknown>, place: RequestPlace): Target[] | null {
  const walks = WALKS.has(tool)
  const given = input[MEMBER[tool] ?? '']
  if (typeof given !== 'string' && !(walks && (given === undefined || given === null))) return null
  const written = typeof given === 'string' && !(walks && given === '') ? given : '.'
  if (written === '') return null
  const path = absolute(written, place)
  // Some programs take the blanks around a path away.
  const real = [path, absolute(written.trim(), place)].map((each) => place.lookups.realPaths(each))
  if (!real[0] || !real[1]) return null
  const target = { paths: [...new Set([...real[0], ...real[1]])], walks }
  const pattern = tool === 'Glob' ? input.pattern : tool === 'Grep' ? input.glob : undefined
  if (pattern === undefined || pattern === null) return [target]
  const below = typeof pattern === 'string' ? patternTarget(pattern, path, place) : null
  return below && [target, ...below]
}

/** A pattern of files can leave its folder by an absolute beginning, by `..`, or by a link. */
function patternTarget(pattern: string, folder: string, place: RequestPlace): Target[] | null {
  if (pattern.split(/[/,{}]/).includes('..') || /[{,](\/|~)/.test(pattern)) return null
  const fixed = /^[^*?[\]{}!()]*/.exec(pattern)?.[0] ?? ''
  const from = absolute(fixed.slice(0, fixed.lastIndexOf('/') + 1) || '.', { ...place, workingDir: folder })
  const real = place.lookups.realPaths(from)
  return real && [{ paths: real, walks: true }]
}

/** Whether an entry for `entryTool` speaks of a call of `tool`: a denied path is denied to every tool of its kind. */
export function speaksOf(entryTool: string, { tool, reading }: ToolCall): boolean {
  if (entryTool === tool) return true
  if (reading === 'allow') return false
  return (WRITES.has(entryTool) && WRITES.has(tool)) || (entryTool === 'Read' && READS.has(tool))
}

export function fileCovers(pattern: string, { tool, input, reading, place, targets }: ToolCall): boolean {
  if (!targets) return reading === 'deny'
  const patterns = patternsOf(pattern, reading, place)
  if (reading === 'allow')
    return targets.every((target) => target.paths.every((path) => isAllowed(patterns, path, { target, place })))
  const lexical = writtenPath(tool, input)
  const written = lexical === null ? [] : [posix.resolve('/', absolute(lexical, place))]
  return targets.some(({ paths, walks }) => [...paths, ...written].some((path) => isDenied(patterns, path, walks)))
}

/** A walk has to be allowed wherever it may go; one of a single file is none. */
function isAllowed(
  patterns: string[],
  path: string,
  { target: { walks }, place }: { target: Target; place: RequestPlace },
): boolean {
  const below = `${path === '/' ? '' : path}/\u0001/\u0001`
  if (walks && patterns.some((pattern) => glob(pattern, below))) return true
  return patterns.some((pattern) => glob(pattern, path)) && !(walks && place.lookups.isDirectory(path))
}

function isDenied(patterns: string[], path: string, walks: boolean): boolean {
  return patterns.some((pattern) => {
    if (glob(pattern, path) || glob(`${pattern}/*`, path)) return true
    if (!walks) return false
    const prefix = literalPrefix(pattern)
    return isWithin(prefix, path) || isWithin(path, prefix) || `${path}/`.startsWith(prefix)
  })
}

/**
 * The pattern from the root, as written and by the real path of its fixed beginning; `**` may also be no folder at
 * all.
 */
function patternsOf(written: string, reading: Reading, place: RequestPlace): string[] {
  const anywhere = written.startsWith('*')
  const rooted = anywhere ? written : rootedPattern(written.replace(/^\/\//, '/'), place)
  const named = reading === 'deny' && !written.includes('/') && !anywhere ? [`*/${written}`] : []
  const all = [...alsoReal(rooted), ...named].flatMap((pattern) => withoutFolders(pattern))
  const folders =
    reading === 'deny' ? all.map((pattern) => pattern.replace(/\/\*+$/, '')).filter((pattern) => pattern !== '') : []
  return [
    ...new Set(
      [...all, ...folders].map((pattern) => (pattern.endsWith('/') && pattern !== '/' ? `${pattern}*` : pattern)),
    ),
  ]
}

function rootedPattern(written: string, place: RequestPlace): string {
  const from = absolute(written, place)
  const [fixed, rest] = splitFixed(from)
  return posix.resolve('/', fixed) + (fixed.endsWith('/') && posix.resolve('/', fixed) !== '/' ? '/' : '') + rest
}

/** The beginning without a star, cut at a folder, and the rest. */
function splitFixed(pattern: string): [string, string] {
  const star = pattern.indexOf('*')
  if (star < 0) return [pattern, '']
  const cut = pattern.lastIndexOf('/', star) + 1
  return [pattern.slice(0, cut), pattern.slice(cut)]
}

function alsoReal(pattern: string): string[] {
  if (pattern.startsWith('*')) return [pattern]
  const [fixed, rest] = splitFixed(pattern)
  const slash = fixed.length > 1 && fixed.endsWith('/') ? '/' : ''
  const real = (new PathLookups(Infinity).realPaths(fixed) ?? []).map(
    (path) => (path === '/' ? '/' : path + slash) + rest,
  )
  return [pattern, ...real]
}

function withoutFolders(pattern: string): string[] {
  let patterns = [pattern]
  for (let left = 3; left > 0 && patterns.some((each) => each.includes('/**/')); left--)
    patterns = patterns.flatMap((each) =>
      each.includes('/**/') ? [each.replace('/**/', '/'), each.replace('/**/', '/*/')] : [each],
    )
  return patterns
}
