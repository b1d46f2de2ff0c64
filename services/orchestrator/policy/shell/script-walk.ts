// The walk over a parsed script: its simple commands, each with the state in which it may run.
import {
  forEachChild,
  type AndOr,
  type Assignment,
  type Command,
  type ParsedScript,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from 'unbash'
import type { RequestPlace } from '../workplace.ts'
import type { ShellAssignment, ShellRedirect, ShellScript, SimpleCommand } from './simple-command.ts'
import { after, joined, lost, sameFolders, startingState, type ShellState } from './shell-state.ts'
import { literal, resolveWord, unknown, type ShellWord, type WordSettings } from './shell-word.ts'
import { evaluates, KNOWN } from './syntax-nodes.ts'

const MOST_COMMANDS = 500
/** Words, assignments and redirections in all. */
const MOST_WORDS = 2000
const MOST_NESTING = 256

/** Thrown by a walk that met what it does not understand. */
export class NotUnderstood extends Error {}

export class Walk {
  readonly script: ShellScript
  readonly #place: RequestPlace
  readonly #simple = new Map<Command, SimpleCommand>()
  readonly #ofCommands = new Set<SyntaxNode>()
  #state: ShellState
  /** The text that positions count in: a substitution in backticks has its own. */
  #text: string
  #depth = 0
  #count = 0

  constructor(parsed: ParsedScript, source: string, place: RequestPlace) {
    this.#place = place
    this.#text = source
    this.#state = startingState(place.workingDir)
    this.script = { source, commands: [], loose: [], chain: null, lost: null }
    this.#visit(parsed)
    this.script.chain = this.#chainOf(parsed.commands)
  }

  #visit(node: SyntaxNode): void {
    this.#check(node)
    if (++this.#depth > MOST_NESTING) throw new NotUnderstood('it is nested too deeply')
    this.#collect(node)
    this.#follow(node)
    this.#depth--
  }

  /** Visits the nodes below in the order and the state in which it runs. */
  #follow(node: SyntaxNode): void {
    switch (node.type) {
      case 'AndOr':
        return this.#chained(node)
      case 'Pipeline':
        for (const command of node.commands.slice(1)) this.#ofCommands.add(command)
        return this.#either(node.commands.map((each) => () => this.#visit(each)))
      case 'If':
        this.#visit(node.clause)
        return this.#either([
          () => this.#visit(node.then),
          ...node.elif.map((each) => () => this.#visit(each)),
          ...(node.else ? [() => node.else && this.#visit(node.else)] : []),
        ])
      case 'Case':
        this.#visit(node.word)
        return this.#either(node.items.map((each) => () => this.#visit(each)))
      case 'For':
      case 'Select':
      case 'While':
      case 'ArithmeticFor':
      case 'Function':
        return this.#repeated(() => this.#children(node))
      case 'Subshell':
      case 'Coproc':
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
        return this.#apart(() => this.#children(node), node)
      case 'Statement':
        return node.background ? this.#apart(() => this.#children(node), node) : this.#children(node)
      default:
        this.#children(node)
        if (node.type === 'Command') this.#pass(node)
    }
  }

  #children(node: SyntaxNode): void {
    const text = this.#text
    if (node.type === 'Script') this.#text = node.source ?? text
    forEachChild(node, (child) => this.#visit(child))
    this.#text = text
  }

  /** Each way may be taken or none. */
  #either(ways: (() => unknown)[]): void {
    const before = this.#state
    let all = before
    for (const way of ways) {
      this.#state = before
      way()
      all = joined(all, this.#state)
    }
    this.#state = all
  }

  /** A command behind nothing but `&&` begins where the command before it ended. */
  #chained({ commands, operators }: AndOr): void {
    let all: ShellState | null = null
    for (const [index, command] of commands.entries()) {
      if (all && operators.slice(0, index).includes('||')) this.#state = all
      this.#visit(command)
      all = all ? joined(all, this.#state) : this.#state
    }
    this.#state = all ?? this.#state
  }

  /** A body that runs any number of times: a folder that it changes cannot be followed. */
  #repeated(body: () => void): void {
    const before = this.#state
    const commands = this.script.commands.length
    body()
    if (sameFolders(before, this.#state)) this.#state = joined(before, this.#state)
    else {
      this.script.commands.length = commands
      this.#state = lost(before)
      this.#lose()
      body()
    }
  }

  /** In a separate shell, but `${ …; }`. */
  #apart(body: () => void, node: SyntaxNode): void {
    const before = this.#state
    body()
    const isSame = node.type === 'CommandExpansion' && node.text.startsWith('${')
    this.#state = isSame ? joined(before, this.#state) : before
  }

  #pass(node: Command): void {
    const command = this.#simple.get(node)
    if (!command) return
    const before = this.#state
    this.#state = after(command, before, this.#place)
    if (this.#state.folders === null && before.folders !== null) this.#lose(command.source)
  }

  #lose(source = this.script.source): void {
    this.script.lost ??= source
  }

  #collect(node: SyntaxNode): void {
    if (node.type === 'Command') this.#simple.set(node, this.#add(node))
    if (node.type === 'Redirected' || node.type === 'Function') this.#ofCommands.add(node)
    if (node.type === 'Redirected')
      this.#push({
        source: this.#text.slice(node.pos, node.end),
        words: [],
        assignments: [],
        redirects: node.redirects.map((each) => this.#redirect(each)),
        piped: false,
        folders: this.#state.folders,
      })
    if (node.type === 'Word' && !this.#ofCommands.has(node)) this.script.loose.push(...this.#resolve(node))
    if (evaluates(node)) this.script.loose.push(unknown())
  }

  /** What the parser recovered from is no command that anybody meant. */
  #check(node: SyntaxNode): void {
    if (!KNOWN.has(node.type)) throw new NotUnderstood(`it uses ${node.type}, which is not supported`)
    if (node.type === 'Script' && 'errors' in node && (node.errors?.length ?? 0) > 0)
      throw new NotUnderstood(`it is not a valid shell command: ${node.errors?.[0]?.message}`)
    // A shell takes all up to the bracket's end for an index, blanks and operators included.
    if (node.type === 'Command' && /^[A-Za-z_]\w*\[/.test(node.name?.text ?? ''))
      throw new NotUnderstood('an array index without a value is not supported')
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
    const source = this.#text.slice(node.pos, node.end)
    const piped = this.#ofCommands.has(node)
    return this.#push({ source, words, assignments, redirects, piped, folders: this.#state.folders })
  }

  #resolve(word: Word): ShellWord[] {
    return resolveWord(word, this.#settings())
  }

  #settings(): WordSettings {
    const { home, workingDir } = this.#place
    const { source } = this.script
    const folders = this.#state.folders ?? []
    return {
      home,
      homeKept: !/(^|[^$\w{])HOME\b/.test(source),
      pwd: /(^|[^$\w{])PWD\b|\b(cd|pushd|popd|chdir)\b/.test(source) || folders.length !== 1 ? null : workingDir,
    }
  }

  #words(word: Word): ShellWord[] {
    this.#ofCommands.add(word)
    return this.#resolve(word)
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
