// Reads the simple commands of a parsed script, in the state in which they may run.
import type { Assignment, Command, ParsedScript, Redirection, SyntaxNode, Word } from 'unbash'
import type { RequestPlace } from '../workplace.ts'
import { outputOf } from './programs/listers.ts'
import { startingState, type ShellState } from './shell-state.ts'
import { literal, resolveWord, unknown, type ShellWord, type WordSettings, type WordSource } from './shell-word.ts'
import type { ShellAssignment, ShellRedirect, ShellScript, SimpleCommand } from './simple-command.ts'

export class CommandReader {
  readonly script: ShellScript
  protected readonly place: RequestPlace
  protected state: ShellState
  /** The input of the commands that are being read. */
  protected reads: WordSource | undefined
  /** The text that positions count in: a substitution in backticks has its own. */
  protected text: string
  /** Nodes that belong to a command: words, and commands behind a pipe. */
  protected readonly ofCommands = new Set<SyntaxNode>()
  readonly #outputs = new Map<ParsedScript, { state: ShellState; output: WordSource | undefined }>()
  readonly #homeKept: boolean
  readonly #pwdKept: boolean
  readonly #blanksSplit: boolean

  constructor(source: string, place: RequestPlace) {
    this.place = place
    this.text = source
    this.state = startingState(place.workingDir)
    this.script = { source, commands: [], loose: [], chain: null, evaluates: false, lost: null }
    this.#homeKept = !/(^|[^$\w{])HOME\b/.test(source)
    this.#blanksSplit = !/\bIFS\b(?!=\s)/.test(source)
    this.#pwdKept = !/(^|[^$\w{])PWD\b/.test(source)
  }

  protected read(node: Command): SimpleCommand {
    const words = node.name ? this.#words(node.name) : []
    const assignments: ShellAssignment[] = []
    const redirects: ShellRedirect[] = []
    for (const member of [...node.prefix, ...node.suffix]) {
      if (member.type === 'Word') words.push(...this.#words(member))
      else if (member.type !== 'Assignment') redirects.push(this.redirect(member))
      else if (node.name === undefined || node.prefix.includes(member)) assignments.push(this.#assigned(member))
      else {
        // `export A=b`: an assignment, and a word of the command.
        const { value } = this.#assigned(member)
        words.push({ ...value, text: `${member.name}=${value.text}` })
      }
    }
    const reads = redirects.some(({ operator }) => operator.startsWith('<')) ? undefined : this.reads
    const piped = this.ofCommands.has(node)
    return { source: this.textOf(node), words, assignments, redirects, piped, reads, folders: this.state.folders }
  }

  protected redirect(node: Redirection): ShellRedirect {
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

  protected textOf({ pos, end }: SyntaxNode): string {
    return this.text.slice(pos, end)
  }

  protected resolve(word: Word): ShellWord[] {
    return resolveWord(word, this.#settings())
  }

  /** Known output of commands with pipes between them. */
  protected output(nodes: readonly SyntaxNode[]): WordSource | undefined {
    const commands = nodes.flatMap((node) => (node.type === 'Command' ? [this.read(node)] : []))
    return nodes.length > 0 && commands.length === nodes.length ? outputOf(commands) : undefined
  }

  /** Known output of a substitution; the last answer is kept, since each is asked for at every level above it. */
  protected outputOf(script: ParsedScript | undefined): WordSource | undefined {
    const [statement, ...others] = script?.commands ?? []
    if (!script || !statement || statement.background || others.length > 0) return undefined
    const known = this.#outputs.get(script)
    if (known?.state === this.state) return known.output
    const { command } = statement
    const output = this.output(command.type === 'Pipeline' ? command.commands : [command])
    this.#outputs.set(script, { state: this.state, output })
    return output
  }

  #settings(): WordSettings {
    const { folders, variables } = this.state
    return {
      home: this.place.home,
      homeKept: this.#homeKept,
      blanksSplit: this.#blanksSplit,
      pwd: this.#pwdKept && folders?.length === 1 ? (folders[0] ?? null) : null,
      variables,
      outputOf: (script) => this.outputOf(script),
    }
  }

  #words(word: Word): ShellWord[] {
    this.ofCommands.add(word)
    return this.resolve(word)
  }

  #one(word: Word): ShellWord {
    const [first, ...others] = this.#words(word)
    return first === undefined || others.length > 0 ? unknown() : first
  }

  #assigned({ name, value, index, append }: Assignment): ShellAssignment {
    if (index !== undefined && !/^\d+$/.test(index.text)) this.script.evaluates = true
    return { name, value: !index && !append && value.type === 'Word' ? this.#one(value) : unknown() }
  }
}
