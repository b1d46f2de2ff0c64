// Whether a policy lets an agent write a file without a person, by any tool.
import { parseToolEntry } from '../../../schemas/tools/entry.ts'
import { bashPattern } from '../../../schemas/tools/entry-parts.ts'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import { readsByName } from './boundary.ts'
import { writesFiles } from './file-targets.ts'
import { judge } from './judge.ts'
import { PathLookups } from './real-path.ts'
import { readScript } from './shell/script.ts'
import { readsOnly } from './word-access.ts'
import type { Place } from './workplace.ts'

const WRITERS = ['Bash', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit']

/** `path` is in the directories of the agent. In doubt true: what a command does is not known. */
export function canWrite({ mode, tools = [], ask = [] }: ToolPolicy, path: string, place: Place): boolean {
  if (mode === 'allow_all') return true
  if (mode === 'deny_list') return WRITERS.some((tool) => ![...tools, ...ask].includes(tool))
  return mode === 'allow_list' && tools.some((entry) => entryWrites(entry, path, place))
}

function entryWrites(entry: string, path: string, place: Place): boolean {
  const { tool, pattern } = parseToolEntry(entry) ?? { tool: '', pattern: null }
  const allows = (input: object) =>
    judge({ mode: 'allow_list', tools: [entry] }, tool, input, place).decision === 'allow'
  if (tool.startsWith('mcp__')) return !readsByName(tool)
  if (writesFiles(tool)) return pattern === null || allows({ file_path: path, notebook_path: path })
  if (tool !== 'Bash') return false
  if (pattern === null) return true
  const commands = ARGUMENTS.map((words) => bashPattern(pattern).replaceAll('*', [...words, path].join(' ')))
  return commands.some((command) => allows({ command }) && commandWrites(command, place))
}

/** What a star may stand for: options with which programs that read write a file. */
const ARGUMENTS = [[], ['-i', 's/a/b/'], ['-o'], ['--output'], ['--in-place'], ['--write']]

function commandWrites(command: string, place: Place): boolean {
  const script = readScript(command, { ...place, lookups: new PathLookups(Infinity) })
  if (typeof script === 'string') return true
  const writes = ({ operator }: { operator: string }) => operator.includes('>')
  return script.commands.some((each) => each.redirects.some(writes) || !readsOnly(each))
}
