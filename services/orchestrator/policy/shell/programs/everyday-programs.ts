// Programs of every day whose arguments can run commands or hold code.
import { codeIn, codeOf, opaque, writes, type Nested } from './nested-command.ts'
import { hasShort, isLong } from './option-parser.ts'
import { OPTIONS, type Taken } from './program-options.ts'
import type { SimpleCommand } from '../simple-command.ts'
import { harmlessSed } from './sed-scripts.ts'
import { literal, unknown, type ShellWord } from '../shell-word.ts'
import { wordList, wordSet } from '../word-list.ts'

type Look = (words: ShellWord[], command: SimpleCommand) => Nested[]

/** What such a program runs; nothing for one that is not on the list. */
export function programNested(name: string, command: SimpleCommand): Nested[] {
  const plain = plainName(name)
  const look = Object.hasOwn(LOOKS, plain) ? LOOKS[plain] : undefined
  const taken = Object.hasOwn(OPTIONS, plain) ? OPTIONS[plain] : undefined
  return [
    ...(ALWAYS.has(plain) ? [opaque(0, `the command that ${name} runs cannot be determined`)] : []),
    ...(taken ? byOptions(name, command.words, taken) : []),
    ...(look ? look(command.words, command) : []),
    ...(ON_INPUT.has(plain) && hasInput(command) ? [opaque(0, `${name} may run commands from its input`)] : []),
    ...loader(name, command.words),
  ]
}

const plainName = (name: string): string =>
  name.replace(/^g(?=(find|sed|awk|tar|sort|split|make)$)/, '').replace(/^(vim?|nvim|view|rvim|vimdiff|ex)$/, 'vim')

export const isEveryday = (name: string): boolean =>
  ALWAYS.has(name) || Object.hasOwn(LOOKS, plainName(name)) || Object.hasOwn(OPTIONS, plainName(name))

/** They run what they are given in ways that are not followed. */
const ALWAYS = wordSet(`
  parallel su runuser capsh bwrap nsenter at batch gdb lldb start-stop-daemon run-parts entr socat expect script
  sshpass osascript crontab ed newgrp machinectl wine qemu-x86_64 perf watchexec nodemon concurrently setuidgid chpst
  envdir kexec dbus-send gcore m4 dc jrunscript facter cpan openvpn ansible xterm gnome-terminal konsole urxvt
  alacritty kitty tclsh
`)

/** They read commands of their own, some of which run others. */
const ON_INPUT = wordSet('vim sqlite3 mysql psql bc gnuplot')

const hasInput = ({ piped, redirects }: SimpleCommand): boolean =>
  piped || redirects.some(({ operator, text }) => operator.startsWith('<') && !HARMLESS_INPUT.test(text ?? '.'))
/** Queries, and commands that print a schema. */
const HARMLESS_INPUT = /^\s*((\.(tables|schema|headers|mode)\b[^\n]*|(select|explain|pragma)\b[^;!\\]*;?)\s*)*$/i

function byOptions(name: string, words: ShellWord[], taken: Taken): Nested[] {
  const { long = '', short = '', words: whole } = taken
  const found: Nested[] = []
  for (const [index, word] of words.entries()) {
    if (index === 0 || word.is === 'unknown') continue
    const { text } = word
    const meant =
      wordList(long).some((option) => isLong(text, option, 2)) ||
      short.split('').some((letter) => hasShort(text, letter)) ||
      whole?.test(text)
    if (taken.writes?.test(text)) found.push(writes(index, `${name} ${text} writes a file`))
    if (!meant) continue
    const value = text.includes('=')
      ? text.slice(text.indexOf('=') + 1).replace(/^exec=/, '')
      : (words[index + 1]?.text ?? '')
    if (/^[\w/. '"-]+$/.test(value) && /[a-z]/.test(value))
      found.push(...codeIn(value.replace(/^['"]|['"]$/g, ''), index))
    found.push(opaque(index, `${name} ${text} may run a command or write a file that no entry names`))
  }
  return found
}

/** The dynamic loader starts the program that it is given. */
function loader(name: string, words: ShellWord[]): Nested[] {
  return /^ld(-linux[\w-]*|-musl[\w-]*)?(\.so[.\d]*|-[\d.]+\.so)$/.test(name)
    ? [
        { at: 1, kind: 'words', words: words.slice(1).filter(({ text }) => !text.startsWith('-')) },
        opaque(1, 'the loader runs a program'),
      ]
    : []
}

const foundName = (start: string): ShellWord =>
  start === '' || start.startsWith('-') ? unknown('', 'inside') : { text: start, is: 'pathname' }

const find: Look = (words) => {
  // Each name that is found begins as the folder that is searched.
  const [folder, other] = words.slice(1, 3).filter(({ text }) => !/^[-(!]/.test(text))
  const start = folder && (other || folder.is !== 'literal') ? '' : (folder?.text ?? './')
  const found: Nested[] = []
  for (let at = 1; at < words.length; at++) {
    const { text } = words[at] as ShellWord
    if (/^-(exec|execdir|ok|okdir)$/.test(text)) {
      const end = words.findIndex(
        (word, index) => index > at && (word.text === ';' || (word.text === '+' && words[index - 1]?.text === '{}')),
      )
      const inner = words
        .slice(at + 1, end < 0 ? undefined : end)
        .map((word) => (word.text === '{}' ? foundName(start) : word.text.includes('{}') ? unknown() : word))
      found.push(
        end < 0 ? opaque(at, 'the command of find has no terminator') : { at: at + 1, kind: 'words', words: inner },
      )
      if (end > 0) at = end
    } else if (text === '-delete') found.push({ at, kind: 'words', words: [literal('rm'), literal('{}')] })
    else if (/^-(fprint|fprint0|fprintf|fls|files0-from)$/.test(text))
      found.push(writes(at, `find ${text} writes a file`))
  }
  return found
}

const sed: Look = (words) => {
  const found: Nested[] = []
  const scripts: [ShellWord, number][] = []
  const marked = words.some(({ text }, at) => at > 0 && (/^-[a-zA-Z]*e$/.test(text) || isLong(text, '--expression', 2)))
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as ShellWord
    if (/^-[a-zA-Z]*f|^--fi/.test(word.text) && !/^-[a-zA-Z]*e/.test(word.text))
      found.push(opaque(at, 'the script file of sed is not checked'))
    if (/^-[nrEsuz]*e$|^--expression$/.test(word.text)) scripts.push([words[at + 1] ?? word, ++at])
    else if (word.text.startsWith('--expression=')) scripts.push([{ ...word, text: word.text.slice(13) }, at])
    else if (/^-[a-zA-Z]*e./.test(word.text)) found.push(opaque(at, 'the script of sed cannot be parsed'))
    else if (!marked && scripts.length === 0 && !word.text.startsWith('-')) scripts.push([word, at])
  }
  for (const [script, at] of scripts)
    if (script.is !== 'literal' || !harmlessSed(script.text))
      found.push(opaque(at, 'the script of sed may run a command or write a file'))
  return found
}

const awk: Look = (words) => {
  const found: Nested[] = []
  let code = -1
  for (let at = 1; at < words.length; at++) {
    const { text } = words[at] as ShellWord
    if (/^-(F|v)$/.test(text)) at++
    else if (/^-(F|v)./.test(text)) continue
    else if (text.startsWith('-') && text !== '--') found.push(opaque(at, 'its awk option is not recognized'))
    else if (text !== '--') {
      code = at
      break
    }
  }
  const program = words[code]
  if (
    program &&
    (program.is !== 'literal' ||
      /\bprintf?\b[^;}\n]*>(?!=)/.test(program.text) ||
      /system|\||getline|>|@|close|ENVIRON|\bfflush\b/.test(program.text.replace(/\|\||>=?\s*-?[\d.]+|>=/g, '')))
  )
    found.push(opaque(code, 'the awk program may run a command or write a file'))
  return found
}

const tmux: Look = (words) => {
  const at = words.findIndex((word, index) => index > 0 && !word.text.startsWith('-'))
  const harmless =
    /^(ls|lsp|lsw|lsc|list-\w+|kill-\w+|capture-pane|capturep|has-session|has|display-message|rename-\w+|select-\w+|info|show-\w+)$/
  const bad = words.some(({ text }, index) => index > 0 && (/[;#]/.test(text) || /^-[fSL]/.test(text)))
  return at > 0 && harmless.test(words[at]?.text ?? '') && !bad
    ? []
    : [opaque(1, 'the command that tmux runs cannot be determined')]
}

/** A second operand is the file that they write. */
const filter: Look = (words) => {
  const operands = words.flatMap(({ text }, at) => (at > 0 && (text === '-' || !text.startsWith('-')) ? [at] : []))
  // `-c 16`: the value of an option.
  const files = operands.filter((at) => !(/^\d+$/.test(words[at]?.text ?? '') && words[at - 1]?.text.startsWith('-')))
  const last = files.at(-1)
  return files.length > 1 && last !== undefined ? [writes(last, `${words[0]?.text} writes its second operand`)] : []
}

/** npm -c and npx -c take code; without a name they are wrappers, which are known elsewhere. */
const npm: Look = (words) =>
  words.flatMap(({ text }, at): Nested[] =>
    (text === '-c' || isLong(text, '--call', 3)) && words[at + 1]
      ? [codeOf([words[at + 1] as ShellWord], at, 'the command that npm runs cannot be determined')]
      : [],
  )

const compose: Look = (words) =>
  words[1]?.text === 'compose' && words.some(({ text }) => text === 'exec' || text === 'run')
    ? [opaque(1, 'the command that runs in the container cannot be determined')]
    : []

const LOOKS: Record<string, Look> = {
  uniq: filter,
  xxd: filter,
  find,
  sed,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  tmux,
  npm,
  pnpm: npm,
  yarn: npm,
  docker: compose,
  podman: compose,
  sg: () => [opaque(0, 'sg runs a command')],
}
