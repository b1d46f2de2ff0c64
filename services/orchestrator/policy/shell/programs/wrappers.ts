// Programs that run the command given to them as arguments.
import { codeOf, opaque, type Nested, type Nesting } from './nested-command.ts'
import { operandsFrom } from './option-parser.ts'
import type { SimpleCommand } from '../simple-command.ts'
import { isHarmlessSetting } from './variables.ts'
import { ALIASES, FAMILIES, WRAPPERS, type Wrapper } from './wrapper-table.ts'
import { unknown, type ShellWord } from '../shell-word.ts'

/** The command that a wrapper runs; null when the program is no wrapper. */
export function wrapperNested(name: string, command: SimpleCommand): Nesting | null {
  const { words } = command
  const double = FAMILIES.has(name) ? `${name} ${words[1]?.text ?? ''}` : name
  const key = ALIASES[double] ?? double
  const wrapper = Object.hasOwn(WRAPPERS, key) ? WRAPPERS[key] : undefined
  if (!wrapper) return null
  if (name === 'command' && /^-[a-zA-Z]*[vV]/.test(words[1]?.text ?? '')) return { nested: [], transparent: false }
  const start = double === name ? 1 : 2
  const found = commandOf(command, start, wrapper, name)
  if (found === null) return { nested: [], transparent: false }
  return {
    nested: [found],
    transparent: wrapper.transparent === true && found.kind === 'words' && double === name && start === 1,
  }
}

function commandOf({ words, reads }: SimpleCommand, start: number, wrapper: Wrapper, name: string): Nested | null {
  const why = `the command that ${name} runs cannot be determined`
  const from = wrapper.dashes ? afterDashes(words, start) : operandsFrom(words, start, wrapper)
  if (from === null) return opaque(start, why)
  let at = from
  if (wrapper.never && words.slice(start, at).some(({ text }) => wrapper.never?.test(text))) return opaque(start, why)
  for (let left = wrapper.operands ?? 0; left > 0 && at < words.length; left--) {
    if (words[at]?.is !== 'literal') return opaque(start, why)
    at++
  }
  if (wrapper.operands && words[at]?.text === '--') at++
  if (name === 'flock' && /^(-c|--command)$/.test(words[at]?.text ?? '')) return codeOf(words.slice(at + 1), at, why)
  if (wrapper.code) {
    if (name === 'ssh') at = operandsFrom(words, at, wrapper) ?? at
    return at >= words.length
      ? nothingGiven(name, start, why)
      : ({ ...codeOf(words.slice(at), at, why), remote: wrapper.remote === true } as Nested)
  }
  if (wrapper.assignments) {
    for (let word = words[at]; word && /^[A-Za-z_]\w*=/.test(word.text); word = words[++at])
      if (!isHarmlessSetting(word.text.split('=')[0] ?? '', { ...word, text: word.text.replace(/^[^=]*=/, '') }))
        return opaque(at, 'it sets a variable that can change which program runs')
  }
  if (at >= words.length) return nothingGiven(name, start, why)
  const options = words.slice(start, at)
  const given = unknown('', options.some(({ text }) => /^-[a-zA-Z0]*[ad]|^--(arg|del)/.test(text)) ? undefined : reads)
  const inner = wrapper.tail
    ? [...words.slice(at).map((word) => replaceMarks(word, options, given)), given]
    : words.slice(at)
  return { at, kind: 'words', words: inner, remote: wrapper.remote === true, project: wrapper.project === true }
}

/** xargs puts what it reads where its `-I` says. */
function replaceMarks(word: ShellWord, options: readonly ShellWord[], given: ShellWord): ShellWord {
  const marks = options.flatMap(({ text }, index) =>
    text === '-I'
      ? (options[index + 1]?.text ?? '{}')
      : /^(-i|--replace)$/.test(text)
        ? '{}'
        : (/^(?:-[Ii]|--replace=)(.+)$/.exec(text)?.[1] ?? []),
  )
  return marks.some((mark) => word.text.includes(mark)) ? (word.text === marks[0] ? given : unknown()) : word
}

/** Without a command some only list or echo; others start a shell. */
function nothingGiven(name: string, start: number, why: string): Nested | null {
  return ['sudo', 'doas', 'ssh', 'chroot', 'unshare', 'podman'].includes(name) ? opaque(start, why) : null
}

function afterDashes(words: ShellWord[], start: number): number | null {
  const dashes = words.findIndex((word, index) => index >= start && word.is === 'literal' && word.text === '--')
  return dashes < 0 ? null : dashes + 1
}
