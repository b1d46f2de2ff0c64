// The pattern of a Bash entry, read once: the commands it spells, in the form that commands are compared in.
import { parse, type SyntaxNode } from 'unbash'
import { bashPattern } from '../../../../schemas/tools/entry.ts'
import { literalPrefix } from '../glob.ts'
import type { RequestPlace } from '../workplace.ts'
import type { ShellWord } from './shell-word.ts'

/** Nesting of commands at which a command counts as one that cannot be judged. */
export const DEEPEST = 8

/** A blank inside a word: no pattern's blank between words matches it. */
export const INNER_BLANK = '\u0001'
const EMPTY = '\u0002'
const NOT_KNOWN = '\u0003'

export interface CommandPattern {
  text: string
  /** The text before the first star. */
  prefix: string
  words: string[]
  /** Of a pattern that ends in ` *` and has no other star: the command without more words; else null. */
  bare: string | null
  /** Targets of redirections that it spells, as `> file`. */
  redirects: string[]
}

export interface BashPattern {
  /** As written. */
  written: string
  /** The commands and the operators between them; one command for most entries; none when it cannot be read. */
  chain: (CommandPattern | string)[]
}

/** The entries that a command is compared with, and where it runs. */
export interface EntryList {
  patterns: readonly BashPattern[]
  /** The entries that spell one command. */
  single: CommandPattern[]
  place: RequestPlace
  /** Whether an entry speaks of a call of this file tool. */
  listsFile: (tool: 'Read' | 'Write', path: string) => boolean
  /** How many commands run this one. */
  depth: number
}

export function entryList(
  patterns: readonly BashPattern[],
  place: RequestPlace,
  listsFile: EntryList['listsFile'] = () => false,
): EntryList {
  const single = patterns.flatMap(({ chain: [first, ...others] }) =>
    typeof first === 'object' && others.length === 0 ? [first] : [],
  )
  return { patterns, single, place, listsFile, depth: 0 }
}

export function readPattern(pattern: string): BashPattern {
  const written = bashPattern(pattern)
  const parsed = parse(written)
  const chain: BashPattern['chain'] = []
  if (!parsed.errors) {
    for (const { command, background } of parsed.commands) {
      const understood = addTo(chain, command)
      chain.push(background ? '&' : ';')
      if (!understood) return { written, chain: [] }
    }
  }
  if (chain.at(-1) === ';') chain.pop()
  return { written, chain }
}

function addTo(chain: BashPattern['chain'], node: SyntaxNode): boolean {
  // `time` and `!` are no commands: an entry of one and a star would say nothing of what runs.
  if (node.type === 'Pipeline' && node.prefixes.length > 0) return false
  if (node.type === 'AndOr' || node.type === 'Pipeline') {
    return node.commands.every((command, index) => {
      if (index > 0) chain.push(node.type === 'Pipeline' ? '|' : (node.operators[index - 1] ?? ''))
      return addTo(chain, command)
    })
  }
  if (node.type !== 'Command' || !node.name) return false
  const words = [node.name]
  const redirects: string[] = []
  for (const member of [...node.prefix, ...node.suffix]) {
    if (member.type === 'Word') words.push(member)
    else if (member.type === 'Redirect' && member.target)
      redirects.push(
        `${member.descriptor?.type === 'FileDescriptor' ? member.descriptor.value : ''}${member.operator} ${member.target.value}`,
      )
    else if (member.type === 'Assignment')
      words.splice(node.suffix.includes(member) ? words.length : -1, 0, { ...node.name, value: member.text })
  }
  const rendered = words.map(({ value }) => renderText(value))
  const text = rendered.join(' ')
  chain.push({ text, prefix: literalPrefix(text), words: rendered, bare: withoutTail(text), redirects })
  return true
}

function renderText(text: string): string {
  return text === '' ? EMPTY : text.replaceAll(' ', INNER_BLANK)
}

/** Words as one text, in which a blank is only ever between two of them. */
export function render(words: readonly ShellWord[]): string {
  return words.map((word) => (word.is === 'unknown' ? NOT_KNOWN : renderText(word.text))).join(' ')
}

function withoutTail(pattern: string): string | null {
  return pattern.endsWith(' *') && pattern.indexOf('*') === pattern.length - 1 ? pattern.slice(0, -2) : null
}

/** The patterns that may be of a program with one of these names. */
export function patternsOf(names: readonly string[], { single }: EntryList): CommandPattern[] {
  return single.filter(({ words: [first = ''] }) => names.includes(first) || first.includes('*') || first.includes('='))
}
