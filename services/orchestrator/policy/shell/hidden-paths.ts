// Paths that are only a part of a word: behind a sign, in the code of an interpreter, in the script of a filter.
import { posix } from 'node:path'
import { isShell } from './programs/interpreters.ts'
import { nestedIn } from './programs/nesting.ts'
import type { SimpleCommand } from './simple-command.ts'

/** `core.worktree=../a`, `x@/etc/a` and `s,a,../b,`: where the parts of a word lead. */
export function partsOf(text: string): string[] {
  if (/\s|:\/\//.test(text)) return []
  const parts = text.matchAll(/[=@](~?\/[^=@:,]+)|[=@:,](\.\.(?:\/[^=@:,]*)?)(?=$|[=@:,])/g)
  return [...parts].map(([, rooted, above]) => rooted ?? above ?? '')
}

const LANGUAGE = /^(python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|luajit|tclsh|tsx|ts-node)[\d.]*$/
const FILTER = /^([gmn]?awk|g?sed)$/
const EDITOR = /^(vim?|nvim|view|ex|ed|sqlite3|psql|mysql)$/

/** It moves, runs other programs, or builds paths and code of parts. */
const BUILDS_PATHS =
  /\b(?:pardir|homedir|expanduser|expandvars|environ|getenv|HOME|getcwd|chdir|fromCharCode|fromhex|unhexlify|b64decode|atob|system|popen|spawn\w*|execv\w*|execSync|execFile\w*|subprocess|child_process|pty|__import__|getattr|symlink\w*|chroot|qx|importlib|ctypes|timeit)\b|\.parents?\b|\bdirname\(|\b(?:cwd|chr)\(|(?<![.\w])(?:exec|eval)\b|\\x2e|\\u002e|['"][./]{1,2}['"]\s*\*/

/** Text that a program runs or interprets, and whether it is of a language that can build any path. */
export function codeOfProgram(name: string, command: SimpleCommand): { texts: string[]; builds: RegExp | null } {
  const isLanguage = LANGUAGE.test(name)
  const isFilter = FILTER.test(name)
  if (!isLanguage && !EDITOR.test(name) && !(isFilter && runsUnseen(command))) return { texts: [], builds: null }
  const words = command.words.slice(1).map(({ text }) => text)
  const inputs = command.redirects.flatMap(({ text }) => text ?? [])
  const builds = isLanguage ? (name === 'perl' ? /`/ : null) : isFilter ? /\b(ENVIRON|system)\b/ : null
  const all = [...words.filter((text) => !isLanguage || /[^\w./@:=,+-]/.test(text)), ...inputs]
  return { texts: all, builds: builds ?? (isLanguage ? BUILDS_PATHS : null) }
}

const runsUnseen = (command: SimpleCommand): boolean =>
  nestedIn(command).nested.some(({ kind, at }) => kind === 'opaque' && at > 0)

/** True if a language that can build any path runs the text. */
export const buildsPaths = (text: string, builds: RegExp | null): boolean =>
  builds !== null && (builds.test(text) || (builds.source === '`' && BUILDS_PATHS.test(text)))

/** Whether it runs code from its input that is not known. */
export function runsInput(name: string, command: SimpleCommand): boolean {
  if (!LANGUAGE.test(name) && !EDITOR.test(name) && !isShell(name)) return false
  const { redirects } = command
  if (redirects.some(({ operator, text }) => operator.startsWith('<<') && typeof text === 'string'))
    return command.piped
  return nestedIn(command).nested.some((each) => each.kind === 'opaque' && each.at === 0 && !each.stdin)
}

const ABOVE = /(?<!\.)\.\.(?=$|[/\s"'`);,\]}\\])[^\s"'`();,|<>]*/g
const ROOTED = /(?<![\w.:/><~)-])~?\/[\w.][^\s"'`()|;,<>\]}]*/g
const ROOTED_IN_FILTER = /(?<![.:/<~)-])~?\/[\w.][^\s"'`()|;,<>\]}]*/g

/** What may be paths that leave the folder, in a text of code. */
export const pathsIn = (text: string, name: string): string[] =>
  [ABOVE, FILTER.test(name) ? ROOTED_IN_FILTER : ROOTED].flatMap((pattern) => text.match(pattern) ?? [])

const MOST_NAMES = 200
/** What may be names of files, in a text of code. */
export const namesIn = (text: string): string[] =>
  text
    .split(/[\s"'`()<>;,=|{}[\]!]+/)
    .filter((name) => /[./]/.test(name) && name.length < MOST_NAMES)
    .slice(0, MOST_NAMES)

const FOLLOWS: Record<string, RegExp> = {
  find: /^-(L|H|follow)$/,
  grep: /^(-[a-zA-Z]*R|--dereference-)/,
  cp: /^(-[a-zA-Z]*[LH]|--deref)/,
  tar: /^(-[a-zA-Z]*h|--deref)/,
  zip: /^-[a-zA-Z0-9]*r/,
  rg: /^(-[a-zA-Z]*L|--follow)/,
  fd: /^(-[a-zA-Z]*L|--follow)/,
  rsync: /^(-[a-zA-Z]*[LkK]|--copy-)/,
}

/** Whether an option makes the program follow links below the folders that it reads. */
export function followsLinks(name: string, { words }: SimpleCommand): boolean {
  const plain = name.replace(/^[ef]grep$/, 'grep')
  const option = Object.hasOwn(FOLLOWS, plain) ? FOLLOWS[plain] : undefined
  const bundle = plain === 'tar' && /^[a-z]*h[a-z]*$/.test(words[1]?.text ?? '')
  return bundle || (option !== undefined && words.some(({ text }, at) => at > 0 && option.test(text)))
}

/** The other directory in which a command runs: `-C a`. */
export function otherFolder(name: string, { words }: SimpleCommand): string | undefined {
  if (!/^(tar|make|git)$/.test(name)) return undefined
  const at = words.findIndex(({ text }) => text === '-C' || text === '--directory')
  return at > 0 && words[at + 1]?.is === 'literal' ? words[at + 1]?.text : undefined
}

const LISTER = /^(find|ls|git|[ef]?grep|rg|fd|fdfind)$/
const OTHER_ENDING = /\.(?!ya?ml$|json$)[a-z]\w*\$?['"]?$/

/** Folders whose names a command may print; none if it prints only names with another ending. */
export function listedBy(name: string, { words, folders }: SimpleCommand, exists: (path: string) => boolean): string[] {
  if (!LISTER.test(name)) return []
  const rest = words.slice(1).filter(({ text }) => !text.startsWith('-'))
  if (words.slice(1).some(({ text, rest: end }) => OTHER_ENDING.test(end ?? text))) return []
  return (folders ?? []).flatMap((folder) => {
    const named = rest.map(({ text }) => posix.resolve(folder, text)).filter(exists)
    return named.length > 0 ? named : [folder]
  })
}
