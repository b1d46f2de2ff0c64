// A shell command as a list of simple commands, with what each is given. What is not understood is a fault of the
// whole.
import {
  forEachChild,
  parse,
  type Assignment,
  type Command,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from 'unbash'
import { RecentMap } from '../../../../platform/core/recent.ts'
import type { Place } from '../workplace.ts'
import { evaluates, KNOWN } from './syntax-nodes.ts'
import { literal, resolveWord, unknown, type ShellWord, type WordSettings } from './shell-word.ts'

export interface ShellRedirect {
  operator: string
  /** The number before the operator, as it was written; null where a variable stands there. */
  descriptor: string | null
  target: ShellWord
  /** Text that the command reads, of a here-document or here-string; null when it is not known. */
  text?: string | null
}

export interface ShellAssignment {
  name: string
  value: ShellWord
}

export interface SimpleCommand {
  /** As it was written. */
  source: string
  words: ShellWord[]
  assignments: ShellAssignment[]
  redirects: ShellRedirect[]
  /** Its input comes from another command. */
  piped: boolean
}

export interface ShellScript {
  source: string
  commands: SimpleCommand[]
  /** Words that are no part of a simple command: of `for`, `case` and `[[ ]]`. */
  loose: ShellWord[]
  /** Commands and what stands between them, where the script is but a chain of these; null where it is more. */
  chain: (SimpleCommand | string)[] | null
}

const MOST_COMMANDS = 500
/** Words, assignments and redirections in all. */
const MOST_WORDS = 2000
/** A request is read for the directories, and again for the list. */
const MOST_KEPT = 16
const LONGEST_KEPT = 4096
const MOST_NESTING = 64

/** Thrown, and caught here, by a walk that met what it does not understand. */
class NotUnderstood extends Error {}

const kept = new RecentMap<ShellScript | string>(MOST_KEPT)

/** The command that a wrapper runs. */
export function commandOf(words: ShellWord[], piped: boolean): SimpleCommand {
  const source = words.map((word) => (word.is === 'unknown' && word.text === '' ? '…' : word.text)).join(' ')
  return { source, words, assignments: [], redirects: [], piped }
}

/** Parses a command; a string says why it cannot be judged. */
export function readScript(source: string, place: Place): ShellScript | string {
  const key = `${place.home}\0${place.workingDir}\0${source}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const script = parseScript(source, place)
  if (source.length <= LONGEST_KEPT) kept.set(key, script)
  return script
}

function parseScript(source: string, place: Place): ShellScript | string {
  if (source.includes('\0')) return 'it contains a NUL character'
  try {
    return new Walk(source, place).script
  } catch (error) {
    if (error instanceof NotUnderstood) return error.message
    // Nesting deeper than the parser's stack.
    if (error instanceof RangeError) return 'it is nested too deeply'
    throw error
  }
}

class Walk {
  readonly script: ShellScript
  readonly #settings: WordSettings
  readonly #simple = new Map<Command, SimpleCommand>()
  readonly #ofCommands = new Set<SyntaxNode>()
  #count = 0

  constructor(source: string, { home, workingDir }: Place) {
    this.#settings = {
      home,
      homeKept: !/(^|[^$\w{])HOME\b/.test(source),
      pwd: /(^|[^$\w{])PWD\b|\b(cd|pushd|popd|chdir)\b/.test(source) ? null : workingDir,
    }
    this.script = { source, commands: [], loose: [], chain: null }
    const parsed = parse(source)
    this.#visit(parsed, 0)
    this.script.chain = this.#chainOf(parsed.commands)
  }

  #visit(node: SyntaxNode, depth: number): void {
    if (!KNOWN.has(node.type)) throw new NotUnderstood(`it uses ${node.type}, which is not supported`)
    if (depth > MOST_NESTING * 4) throw new NotUnderstood('it is nested too deeply')
    this.#check(node)
    // A shell takes all up to the bracket's end for an index, blanks and operators included.
    if (node.type === 'Command' && /^[A-Za-z_]\w*\[/.test(node.name?.text ?? ''))
      throw new NotUnderstood('an array index without a value is not supported')
    if (node.type === 'Command') this.#simple.set(node, this.#add(node))
    if (node.type === 'Pipeline') for (const command of node.commands.slice(1)) this.#ofCommands.add(command)
    if (node.type === 'Redirected' || node.type === 'Function') this.#ofCommands.add(node)
    if (node.type === 'Redirected')
      this.#push({
        source: this.#text(node),
        words: [],
        assignments: [],
        redirects: node.redirects.map((each) => this.#redirect(each)),
        piped: false,
      })
    if (node.type === 'Word' && !this.#ofCommands.has(node))
      this.script.loose.push(...resolveWord(node, this.#settings))
    if (evaluates(node)) this.script.loose.push(unknown())
    forEachChild(node, (child) => this.#visit(child, depth + 1))
  }

  /** What the parser recovered from is no command that anybody meant. */
  #check(node: SyntaxNode): void {
    if (node.type === 'Script' && 'errors' in node && (node.errors?.length ?? 0) > 0)
      throw new NotUnderstood(`it is not a valid shell command: ${node.errors?.[0]?.message}`)
    if (node.type === 'HereDoc' && node.closing === undefined) throw new NotUnderstood('a here-document has no end')
    if (node.type === 'Redirect' && node.target === undefined) throw new NotUnderstood('a redirection has no target')
    // A shell ends the word of a descriptor at its `-`, so that `<&-rm` runs `rm`.
    if (
      node.type === 'Redirect' &&
      node.operator.endsWith('&') &&
      !/^(\d+-?|-|[A-Za-z./$"'_][^-]*)$/.test(node.target?.text ?? '')
    )
      throw new NotUnderstood('this redirection of file descriptors is not supported')
    if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') && node.script === undefined)
      throw new NotUnderstood('a substitution cannot be parsed')
  }

  #text({ pos, end }: SyntaxNode): string {
    return this.script.source.slice(pos, end)
  }

  #push(command: SimpleCommand): SimpleCommand {
    this.script.commands.push(command)
    this.#count += command.words.length + command.assignments.length + command.redirects.length
    if (this.#count > MOST_WORDS) throw new NotUnderstood('it has too many words')
    if (this.script.commands.length > MOST_COMMANDS) throw new NotUnderstood('it has too many commands')
    return command
  }

  #add(node: Command): SimpleCommand {
    const members = [...node.prefix, ...node.suffix]
    const words = node.name ? this.#words(node.name) : []
    const assignments: ShellAssignment[] = []
    const redirects: ShellRedirect[] = []
    for (const member of members) {
      if (member.type === 'Word') words.push(...this.#words(member))
      else if (member.type !== 'Assignment') redirects.push(this.#redirect(member))
      else if (node.name === undefined || node.prefix.includes(member)) assignments.push(this.#assigned(member))
      else {
        // `export A=b`: an assignment, and a word of the command.
        const { value } = this.#assigned(member)
        words.push({ ...value, text: `${member.name}=${value.text}` })
      }
    }
    return this.#push({ source: this.#text(node), words, assignments, redirects, piped: this.#ofCommands.has(node) })
  }

  #words(word: Word): ShellWord[] {
    this.#ofCommands.add(word)
    return resolveWord(word, this.#settings)
  }

  #one(word: Word): ShellWord {
    const [first, ...others] = this.#words(word)
    return first === undefined || others.length > 0 ? unknown() : first
  }

  #assigned({ name, value, index }: Assignment): ShellAssignment {
    return { name, value: !index && value.type === 'Word' ? this.#one(value) : unknown() }
  }

  #redirect(node: Redirection): ShellRedirect {
    const { operator } = node
    const descriptor =
      node.descriptor === undefined
        ? ''
        : node.descriptor.type === 'FileDescriptor'
          ? String(node.descriptor.value)
          : null
    if (node.type === 'HereDoc') {
      const plain = node.delimiter?.quoted === true || (node.body.parts ?? []).every((part) => part.type === 'Literal')
      return { operator, descriptor, target: literal(''), text: plain ? node.body.text : null }
    }
    const target = node.target ? this.#one(node.target) : unknown()
    if (node.type === 'HereString')
      return { operator, descriptor, target, text: target.is === 'literal' ? `${target.text}\n` : null }
    return { operator, descriptor, target }
  }

  /** Simple commands between `;`, `&`, `&&`, `||`, `|`: null as soon as there is anything else. */
  #chainOf(statements: readonly Statement[]): ShellScript['chain'] {
    const chain: (SimpleCommand | string)[] = []
    for (const { command, background } of statements) {
      const pipelines = command.type === 'AndOr' ? command.commands : [command]
      for (const [index, pipeline] of pipelines.entries()) {
        if (index > 0 && command.type === 'AndOr') chain.push(command.operators[index - 1] ?? '&&')
        const parts = pipeline.type === 'Pipeline' ? pipeline.commands : [pipeline]
        for (const [place, part] of parts.entries()) {
          if (place > 0) chain.push('|')
          const simple = part.type === 'Command' ? this.#simple.get(part) : undefined
          if (!simple) return null
          chain.push(simple)
        }
      }
      chain.push(background ? '&' : ';')
    }
    if (chain.at(-1) === ';') chain.pop()
    return chain
  }
}
