// Programs that print the names of files in the directories they are given, and nothing else.
import { baseName } from './nested-command.ts'
import type { SimpleCommand } from '../simple-command.ts'
import { isInside, type WordSource } from '../shell-word.ts'

interface Lister {
  /** Options that leave the names as they are in the directories. */
  options: RegExp
  /** One of them is needed. */
  needs?: RegExp
}

const GREP: Lister = {
  options: /^(-[rRlLiwEFPnse]+|--(include|exclude|exclude-dir)=.*|--files-with(out)?-match(es)?|--)$/,
  needs: /^(-[a-zA-Z]*[lL]|--files-with)/,
}
const LISTERS: Record<string, Lister> = {
  'git ls-files': { options: /^(-[cdmo]+|--(cached|deleted|modified|others|exclude-standard)?)$/ },
  'git diff': { options: /^--(name-only|cached|staged|diff-filter=\w+|relative|merge-base)?$/, needs: /^--name-only$/ },
  'git grep': GREP,
  find: {
    options: /^-(?!print|fprint|exec|ok|fls|ls|delete|files0-from)[a-zA-Z]+$|^-print0?$/,
  },
  ls: { options: /^-[1AdtrS]+$/ },
  grep: GREP,
  rg: {
    options: /^(-[lniwFgt]+|--files(-with-matches)?|--hidden|--glob=.*|--type=\w+|--)$/,
    needs: /^(-\w*l|--files)/,
  },
  fd: { options: /^(-[eHIgt]+|--(extension|type)=\w+|--hidden)$/ },
  basename: { options: /^-a$/ },
}
/** Programs that pass on some of the lines that they read. */
const FILTERS: Record<string, RegExp> = {
  grep: /^-[vEiFwxe]+$/,
  head: /^-(n\d*|\d+)$/,
  tail: /^-(n\d*|\d+)$/,
  sort: /^-[urnVf]+$/,
  uniq: /^$/,
}
const COUNTERS: Record<string, RegExp> = { wc: /^-[lwcm]$/, nproc: /^$/, date: /^\+%s$/ }

/** What the output of a pipeline is known to be. */
export function outputOf(commands: readonly SimpleCommand[]): WordSource | undefined {
  const [first, ...filters] = commands
  const last = commands.at(-1)
  if (last && last.assignments.length === 0 && hasOnly(last, COUNTERS)) return 'number'
  if (!first || !lists(first) || commands.some(({ assignments }) => assignments.length > 0)) return undefined
  if (commands.some(({ redirects }) => redirects.some(({ target }) => target.text !== '/dev/null'))) return undefined
  return filters.every((each) => isFilter(each)) ? 'inside' : undefined
}

function lists({ words }: SimpleCommand): boolean {
  const name = words[0]?.text === 'git' ? `git ${words[1]?.text}` : (words[0]?.text ?? '')
  const lister = Object.hasOwn(LISTERS, name) ? LISTERS[name] : undefined
  if (!lister) return false
  const rest = words.slice(name.includes(' ') ? 2 : 1)
  return (
    rest.every((word) =>
      word.text.startsWith('-')
        ? word.is !== 'unknown' && lister.options.test(word.text)
        : isInside(word) || (name !== 'basename' && word.is !== 'unknown'),
    ) &&
    (!lister.needs || rest.some(({ text }) => lister.needs?.test(text)))
  )
}

function isFilter({ words: [program, ...rest] }: SimpleCommand): boolean {
  const options = Object.hasOwn(FILTERS, program?.text ?? '') ? FILTERS[program?.text ?? ''] : undefined
  const operands = rest.filter(({ text }) => !text.startsWith('-') && !/^\d+$/.test(text))
  return (
    options !== undefined &&
    rest.every(({ text, is }) => is === 'literal' && (!text.startsWith('-') || options.test(text))) &&
    operands.length === (program?.text === 'grep' ? 1 : 0)
  )
}

/** Without operands: these would be printed too. */
function hasOnly({ words: [program, ...rest] }: SimpleCommand, table: Record<string, RegExp>): boolean {
  const name = baseName(program?.text ?? '')
  const options = Object.hasOwn(table, name) ? table[name] : undefined
  return options !== undefined && rest.every(({ text, is }) => is === 'literal' && options.test(text))
}
