// Shells and interpreters: the code they are given, in a word, on their input, in a file.
import { codeOf, opaque, opaqueFile, type Nested } from './nested-command.ts'
import { operandsFrom } from './option-parser.ts'
import type { SimpleCommand } from '../simple-command.ts'
import { isPowerful } from './variables.ts'
import type { ShellWord } from '../shell-word.ts'
import { wordSet } from '../word-list.ts'

const SHELLS = wordSet('sh bash dash zsh ksh ash rbash rzsh mksh yash hush posh ksh93 lksh bash5')
const OTHER_SHELLS = wordSet('fish csh tcsh pwsh powershell nu xonsh elvish rc es cmd cmd.exe')
/** What turns a word into code, by program. */
const INTERPRETERS: [RegExp, RegExp][] = [
  [/^(python|pypy|ipython|jython)[\d.]*$/, /^-[A-Za-z]*c/],
  [
    /^(node|nodejs|iojs|tsx|ts-node|electron)$/,
    /^(-[a-z]*[epr]|--eval|--print|--require|--import|--loader|--experimental-loader)/,
  ],
  [/^(deno|bun)$/, /^(eval|-e|-p|--eval|--print|--preload|-r)$/],
  [/^perl[\d.]*$/, /^-[A-Za-z0-9]*[eEmMdI]/],
  [/^(ruby|jruby|irb)[\d.]*$/, /^-[A-Za-z]*[eSr]/],
  [/^php[\d.]*$/, /^(-[a-z]*[rBRE]|-d|--run|--process)/],
  [/^(lua|luajit|texlua)[\d.]*$/, /^-[a-z]*[el]/],
  [/^(tclsh|wish|expect)[\d.]*$/, /^-[a-z]*c/],
  [
    /^(Rscript|R|julia|elixir|iex|erl|ghc|runghc|ocaml|scala|groovy|clojure|clj|guile|racket|osascript|swift|kotlin|gjs|qjs|sbcl|emacs|crystal|octave|maxima|gp|sage|jshell|escript|coffee|nim)$/,
    /^--?(e|c|E|eval|execute|command|batch|script|load|run|print|l|q|f)/,
  ],
]
/** Modules of Python that run code from their arguments or their input. */
const RUNS_CODE = /^-[A-Za-z]*m ?(timeit|pdb|bdb|code|cProfile|profile|trace|idlelib|IPython|doctest|pydoc)\b/
const NO_CODE = 'code passed to an interpreter cannot be checked'

/** Null when the program is neither a shell nor an interpreter nor a builtin that takes code. */
export function shellNested(name: string, command: SimpleCommand): Nested[] | null {
  if (SHELLS.has(name)) return ofShell(command)
  if (OTHER_SHELLS.has(name)) return [opaque(0, 'the syntax of this shell is not supported')]
  const builtin = ofBuiltin(name, command.words)
  if (builtin) return builtin
  const interpreter = INTERPRETERS.find(([program]) => program.test(name))
  return interpreter ? ofInterpreter(command, interpreter[1]) : null
}

export const isShell = (name: string): boolean => SHELLS.has(name)

export const isInterpreter = (name: string): boolean =>
  SHELLS.has(name) ||
  INTERPRETERS.some(([program]) => program.test(name)) ||
  /^(source|\.)$/.test(name) ||
  EVALUATED.has(name) ||
  CONFIGURING.has(name)

function ofShell(command: SimpleCommand): Nested[] {
  const { words } = command
  const why = 'the code that the shell runs cannot be determined'
  let at = 1
  let code = false
  for (let word = words[at]; word; word = words[++at]) {
    if (word.is !== 'literal') return [opaque(at, why)]
    if (word.text === '--' || !/^[-+]./.test(word.text)) break
    if (/^--(norc|noprofile|posix|login|restricted|verbose)$/.test(word.text)) continue
    if (!/^[-+][abcefhilmnpstuvxkBCEHPTo]+$/.test(word.text)) return [opaque(at, why)]
    code ||= /^-.*c/.test(word.text)
    if (word.text.includes('o')) at++
  }
  if (words[at]?.text === '--') at++
  const first = words[at]
  if (code) return [first ? codeOf([first], at, why) : opaque(at, why)]
  if (first && !words.slice(1, at).some((word) => /^-[a-z]*s/.test(word.text)))
    return [opaqueFile(at, 'the script file that the shell runs is not checked')]
  return [input(command, why)]
}

/** The code that a shell reads from its input. */
function input(command: SimpleCommand, why: string): Nested {
  const last = command.redirects.findLast(({ operator }) => operator.startsWith('<'))
  return typeof last?.text === 'string' && !command.piped ? { at: 0, kind: 'code', code: last.text } : opaque(0, why)
}

function ofInterpreter({ words, piped, redirects }: SimpleCommand, inline: RegExp): Nested[] {
  const at = words.findIndex((word, index) => index > 0 && (word.is !== 'literal' || !word.text.startsWith('-')))
  // Behind an option, the first operand may be its value, and more options follow.
  const isValue = at > 1 && !/^-[A-Za-z]*m$/.test(words[at - 1]?.text ?? '')
  const options = words.slice(1, at < 0 || isValue ? words.length : at + 1)
  const found = options.findIndex((word) => word.is === 'literal' && inline.test(word.text))
  if (found >= 0) return [opaque(found + 1, NO_CODE)]
  const module = options.findIndex(({ text }, index) => RUNS_CODE.test(`${text} ${options[index + 1]?.text ?? ''}`))
  if (module >= 0) return [opaque(module + 1, NO_CODE)]
  const script = at < 0 || options.some(({ text }) => text === '-') ? undefined : words[at]
  // `/dev/stdin` and `/proc/self/fd/0` are the standard input, `/dev/shm` is a folder.
  if (script && !/^\/(proc|dev)\/(?!shm\/)/.test(script.text)) return []
  if (words.some(({ text }) => /^(--version|-V|-v|--help|-h|--test)$/.test(text))) return []
  const isText = redirects.some(({ operator }) => operator.startsWith('<<'))
  const why = piped || redirects.length > 0 ? NO_CODE : 'an interpreter without a program runs its standard input'
  return [{ at: 0, kind: 'opaque', why, stdin: isText && !piped }]
}

/** Words whose text the shell evaluates: an index of an array there may hold a substitution. */
const EVALUATED = wordSet(`
  let test [ unset read printf declare typeset local export readonly integer float wait return exit shift kill ulimit
  umask getopts
`)

const SETTING = /^(read|printf|getopts)$/
const DECLARING = /^(declare|typeset|local|export|readonly)$/
const INTEGERS = /^(integer|float)$/

/** Builtins whose options change what later commands do. */
const CONFIGURING = wordSet(`
  hash enable complete compgen bind mapfile readarray fc zle zmodload sched autoload functions emulate zcompile history
`)

function ofBuiltin(name: string, words: ShellWord[]): Nested[] | null {
  const rest = words.slice(1)
  switch (name) {
    case 'eval':
      return rest.length === 0
        ? []
        : [codeOf(rest[0]?.text === '--' ? rest.slice(1) : rest, 1, 'the command that eval runs cannot be determined')]
    case 'trap': {
      const at = operandsFrom(words, 1, { flags: '-p -l' }) ?? 1
      const action = words[at]
      return action === undefined || /^-?$|^\d+$/.test(action.text)
        ? []
        : [codeOf([action], at, 'the command that trap runs cannot be determined')]
    }
    case '.':
    case 'source':
      // Of a virtual environment of Python: it only sets the path of this shell.
      if (rest.length === 1 && rest[0]?.is === 'literal' && /^(\.\/)?\.?venv\/bin\/activate$/.test(rest[0].text))
        return []
      return [opaqueFile(1, 'the content of a sourced file is not checked')]
    case 'alias':
      return rest.flatMap((word, index): Nested[] => {
        const at = word.text.indexOf('=')
        if (at < 0) return []
        if (word.is !== 'literal') return [opaque(index + 1, 'its alias cannot be determined before it runs')]
        return [{ at: index + 1, kind: 'code', code: word.text.slice(at + 1) }]
      })
    default:
      if (CONFIGURING.has(name))
        return rest.some(({ text }) => /^[-+]/.test(text)) || name === 'emulate' || name === 'fc'
          ? [opaque(1, `the effect of ${name} with these arguments cannot be determined`)]
          : []
      if (!EVALUATED.has(name)) return null
      if (SETTING.test(name) && rest.some(({ text }) => isPowerful(text)))
        return [opaque(1, 'it sets a variable that programs may read')]
      if (INTEGERS.test(name) || (DECLARING.test(name) && rest.some(({ text }) => /^-[A-Za-z]*[iEF]/.test(text))))
        return [opaque(1, 'it declares variables whose values are evaluated')]
      return rest.some(
        ({ text }) =>
          /\$\(|`|\$\{/.test(text) || (text !== ']' && text !== '[' && text.includes('[') && text.includes(']')),
      )
        ? [opaque(1, 'it evaluates an array index')]
        : []
  }
}
