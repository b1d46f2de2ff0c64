// A tool call of an ACP program in the words that tool policies are written in: a tool's name, and its main argument.
import { objectAt, objectsAt, textAt, type Frame } from '../frames.ts'
import { UNNAMED_TOOL } from '../../schemas/tools/unnamed-tool.ts'
import type { ToolCall } from '../scripted/plan.ts'

const LONGEST_NAME = 256

interface Rule {
  /** Accepted names; the first is the default. */
  names: string[]
  /** What a policy reads of the input. */
  member: string
  read(call: Frame, raw: Frame): unknown
}

/** By the kind that the program gives. */
const KINDS: Record<string, Rule> = {
  read: { names: ['Read', 'NotebookRead'], member: 'file_path', read: pathOf },
  edit: { names: ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'], member: 'file_path', read: pathOf },
  delete: { names: ['Write', 'Edit'], member: 'file_path', read: pathOf },
  move: { names: ['Write', 'Edit'], member: 'file_path', read: pathOf },
  search: { names: ['Grep', 'Glob'], member: 'path', read: folderOf },
  execute: { names: ['Bash'], member: 'command', read: (_call, raw) => commandOf(raw['command']) },
  fetch: { names: ['WebFetch', 'WebSearch'], member: 'url', read: (_call, raw) => textAt(raw, 'url') },
}

const NOTEBOOKS = ['NotebookRead', 'NotebookEdit']

/** Members under which programs name the one file of a call. */
const PATHS = ['file_path', 'filePath', 'path', 'absolute_path', 'absolutePath', 'notebook_path', 'abs_path']

/**
 * Name and input of a call. `call` is a `tool_call` merged with its updates. If the program does not give the command,
 * file or address of a call as one text, the input has none either, and the policy cannot determine what it reaches.
 */
export function toolOf(call: Frame): ToolCall {
  const name = (textAt(call, 'name') ?? '').replace(/\p{Cc}/gu, '').slice(0, LONGEST_NAME)
  const kind = textAt(call, 'kind') ?? UNNAMED_TOOL
  const raw = objectAt(call, 'rawInput')
  const rule = Object.hasOwn(KINDS, kind) && !name.startsWith('mcp__') ? KINDS[kind] : undefined
  if (!rule)
    return {
      name: name || (/^[a-z_]{1,64}$/.test(kind) ? kind : UNNAMED_TOOL),
      input: Object.keys(raw).length > 0 ? raw : described(call),
    }
  const tool = rule.names.includes(name) ? name : rule.names[0]!
  const member = NOTEBOOKS.includes(tool) ? 'notebook_path' : tool === 'WebSearch' ? 'query' : rule.member
  const value = tool === 'WebSearch' ? textAt(raw, 'query') : rule.read(call, raw)
  const { [member]: _, ...others } = raw
  return {
    name: tool,
    input: {
      ...(value === null ? {} : { [member]: value }),
      ...(Object.keys(raw).length > 0 ? others : described(call)),
    },
  }
}

/** The title of a call without an input, for the person who decides. */
function described(call: Frame): Frame {
  const title = textAt(call, 'title')
  return title === null ? {} : { title }
}

/** The file that all of the call speaks of; a list when there are more than one, null when there is none. */
function pathOf(call: Frame, raw: Frame): string | string[] | null {
  const paths = [
    ...PATHS.map((member) => textAt(raw, member)),
    ...objectsAt(call, 'locations').map((each) => textAt(each, 'path')),
    ...objectsAt(call, 'content').map((each) => (each['type'] === 'diff' ? textAt(each, 'path') : null)),
  ].filter((path) => path !== null)
  const [path, ...rest] = new Set(paths)
  return rest.length > 0 ? [...new Set(paths)] : (path ?? null)
}

/** A search without a folder is one of the working directory only where the tool is known to mean that. */
function folderOf(call: Frame, raw: Frame): unknown {
  const known = ['Grep', 'Glob'].includes(textAt(call, 'name') ?? '')
  return pathOf(call, raw) ?? (known ? null : [])
}

/** As a line for a shell; some programs give a list of words. */
function commandOf(command: unknown): string | null {
  if (typeof command === 'string') return command
  if (!Array.isArray(command) || command.length === 0) return null
  return command.every((word) => typeof word === 'string') ? command.map(quoted).join(' ') : null
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
