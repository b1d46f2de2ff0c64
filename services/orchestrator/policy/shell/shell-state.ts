// What a script may have changed by the time a command of it runs: its working directory, and the
// values of its variables.
import { posix } from 'node:path'
import { absolute, type RequestPlace } from '../workplace.ts'
import type { SimpleCommand } from './simple-command.ts'
import type { ShellWord } from './shell-word.ts'
import { wordSet } from './word-list.ts'

export interface ShellState {
  /** Where the next command may run; null after a `cd` that cannot be followed. */
  folders: readonly string[] | null
  /** Where an earlier command may have run: `cd -` and `popd` lead there. */
  been: readonly string[]
  /** Values of the variables that the script has set for certain. */
  variables: ReadonlyMap<string, ShellWord>
}

const MOST_FOLDERS = 8
/** Replaces the name of a folder that a pattern matches. */
const SOME_FOLDER = '\u0001'

export const startingState = (folder: string): ShellState => ({
  folders: [folder],
  been: [folder],
  variables: new Map(),
})

const union = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])]
const kept = (folders: readonly string[]) => (folders.length > MOST_FOLDERS ? null : folders)

/** The state behind either of two ways through the script. */
export function joined(a: ShellState, b: ShellState): ShellState {
  if (a === b) return a
  const folders = a.folders && b.folders && kept(union(a.folders, b.folders))
  const variables = a.variables === b.variables ? a.variables : common(a.variables, b.variables)
  return { folders, been: union(a.been, b.been), variables }
}

const common = (a: ShellState['variables'], b: ShellState['variables']) =>
  new Map([...a].filter(([name, value]) => b.get(name) === value))

export const withVariable = (state: ShellState, name: string, value: ShellWord | null): ShellState => {
  const variables = new Map(state.variables)
  variables.delete(name)
  if (value) variables.set(name, value)
  return { ...state, variables }
}

export const sameFolders = (a: ShellState, b: ShellState): boolean =>
  a.folders === b.folders ||
  (a.folders !== null && b.folders?.length === a.folders.length && a.folders.every((each) => b.folders?.includes(each)))

export const lost = (state: ShellState): ShellState => ({ ...state, folders: null })

/** They run the words behind them in the same shell. */
const SAME_SHELL = wordSet('command builtin noglob nocorrect -')
const ENTERS = wordSet('cd chdir pushd')
/** They run text in the same shell. */
const RUNS_TEXT = wordSet('eval trap alias')
/** They set variables that their words name. */
const SETS = wordSet(`
  read mapfile readarray printf declare typeset local export readonly integer float unset let getopts wait vared set
`)

/** The state behind a command. */
export function after(command: SimpleCommand, state: ShellState, place: RequestPlace): ShellState {
  const from = command.words.findIndex(({ text }, at) => !SAME_SHELL.has(text) && !(at > 0 && text === '-p'))
  const [program, ...rest] = from < 0 ? [] : command.words.slice(from)
  if (!program) return state
  // An unknown program may be `cd`.
  if (program.is !== 'literal') return forgetful(lost(state))
  if (ENTERS.has(program.text)) return moved(state, entered(state, rest, place))
  if (program.text === 'popd') return moved(state, back(state))
  if (program.text === 'printf' && rest[0]?.is === 'literal' && !rest[0].text.startsWith('-')) return state
  if (SETS.has(program.text)) return forgetful(state, rest)
  if (program.text === 'source' || program.text === '.') return forgetful(state)
  if (!RUNS_TEXT.has(program.text)) return state
  const mayMove = rest.some(({ text, is }) => is !== 'literal' || /\b(cd|chdir|pushd|popd)\b/.test(text))
  return forgetful(mayMove ? lost(state) : state)
}

/** Without the variables that the words may name; all without words, or with one that is not known. */
function forgetful(state: ShellState, words?: readonly ShellWord[]): ShellState {
  if (state.variables.size === 0) return state
  const named = (name: string) => words?.every(({ text, is }) => is === 'literal' && !text.includes(name)) !== true
  return { ...state, variables: new Map([...state.variables].filter(([name]) => !named(name))) }
}

function moved(state: ShellState, folders: readonly string[] | null): ShellState {
  const all = folders && kept([...new Set(folders)])
  return { ...state, folders: all, been: union(state.been, all ?? []) }
}

const back = ({ been }: ShellState) => (been.length > 1 ? been : null)

function entered(state: ShellState, words: readonly ShellWord[], place: RequestPlace): readonly string[] | null {
  const operands = words.filter(({ text }, at) => !/^-[LPe@q]+$|^--$/.test(text) || words[at - 1]?.text === '--')
  const [target, ...more] = operands
  if (target === undefined) return [place.home]
  if (target.is === 'literal' && target.text === '-') return back(state)
  if (state.folders === null || more.length > 0 || target.is === 'unknown' || /^[-+]/.test(target.text)) return null
  const name = target.is === 'pathname' ? `${target.text}${SOME_FOLDER}` : target.text
  return state.folders.flatMap((folder) => {
    const there = posix.normalize(absolute(name, { ...place, workingDir: folder }))
    // One that is not there is not entered, and the script goes on where it was.
    return place.lookups.isDirectory(there) ? [there] : [folder, there]
  })
}
