// The walk over a parsed script: its simple commands, each with the state in which it may run.
import {
  forEachChild,
  type AndOr,
  type ArithmeticExpression,
  type Command,
  type For,
  type ParsedScript,
  type Pipeline,
  type Redirected,
  type Redirection,
  type SyntaxNode,
  type Word,
} from 'unbash'
import type { RequestPlace } from '../workplace.ts'
import { chainOf } from './command-chain.ts'
import { CommandReader } from './command-reader.ts'
import { outputOf } from './programs/listers.ts'
import { isPowerful } from './programs/variables.ts'
import { after, joined, lost, sameFolders, withVariable, type ShellState } from './shell-state.ts'
import { summary, unknown, type ShellWord, type WordSource } from './shell-word.ts'
import { lineRead, type SimpleCommand } from './simple-command.ts'
import { evaluated, faultOf } from './syntax-nodes.ts'
import { TrackedVariables } from './tracked-variables.ts'
import { hereDocument, isPwd } from './word-parts.ts'

const MOST_COMMANDS = 500
/** Words, assignments and redirections in all. */
const MOST_WORDS = 2000
/** Rounds of nested loops in all. */
const MOST_ROUNDS = 32
const MOST_NESTING = 256

/** Thrown by a walk that met what it does not understand. */
export class NotUnderstood extends Error {}

export class Walk extends CommandReader {
  readonly #tracked: TrackedVariables
  readonly #simple = new Map<Command, SimpleCommand>()
  /** Rounds of the loops around the current node. */
  #rounds = 1
  #depth = 0
  #count = 0
  #moves = false
  /** The first function or text that may run at another place than it is written. */
  #deferred: string | null = null
  /** False from where commands run that are not seen: they may set any variable. */
  #isTracked = true

  constructor(parsed: ParsedScript, source: string, place: RequestPlace) {
    super(source, place)
    this.#tracked = new TrackedVariables(parsed, source)
    this.#visit(parsed)
    if (this.#moves && this.#deferred !== null) this.script.lost ??= this.#deferred
    this.script.chain = chainOf(parsed.commands, this.#simple)
  }

  #visit(node: SyntaxNode): void {
    const fault = faultOf(node)
    if (fault !== null) throw new NotUnderstood(fault)
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
        return this.#piped(node)
      case 'Redirected':
        return this.#redirected(node)
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
        return this.#loop(node)
      case 'ArithmeticFor':
        this.#reckon(node.initialize)
        return this.#repeated(() => this.#children(node))
      case 'Function':
        this.#deferred ??= this.textOf(node)
        this.#untrack()
        return this.#reading(undefined, () => this.#repeated(() => this.#children(node)))
      case 'Select':
      case 'While':
        return this.#repeated(() => this.#children(node))
      case 'CommandExpansion':
        if (hereDocument(node) !== null || isPwd(node)) return
        return this.#apart(() => this.#children(node), node)
      case 'Subshell':
      case 'Coproc':
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

  /** The words of a loop, and then its body with each of them. */
  #loop({ name, wordlist = [], body }: For): void {
    if (isPowerful(name.text)) this.script.evaluates = true
    for (const word of wordlist) this.#visit(word)
    const words = wordlist.flatMap((word) => this.resolve(word))
    const values = new Set(words.map((word) => (word.is === 'unknown' ? unknown(word.text, word.source) : word)))
    const rounds = this.#rounds
    const isFew = values.size > 0 && values.size * rounds <= MOST_ROUNDS
    if (isFew) this.#rounds *= values.size
    this.#repeated(() => {
      for (const value of isFew ? values : [summary(words)]) {
        this.state = withVariable(
          this.state,
          name.text,
          this.#isTracked && this.#tracked.isSingle(name.text) ? value : null,
        )
        this.#visit(body)
      }
    })
    this.#rounds = rounds
  }

  /** `i=0`, where `i` is never more than a number. */
  #reckon(node: ArithmeticExpression | undefined): void {
    if (node?.type !== 'ArithmeticBinary') return
    if (node.operator === ',') for (const each of [node.left, node.right]) this.#reckon(each)
    if (node.operator === '=' && node.left.type === 'ArithmeticWord' && this.#tracked.isNumber(node.left.value))
      this.state = withVariable(this.state, node.left.value, unknown('', 'number'))
  }

  #reading(source: WordSource | undefined, visit: () => void): void {
    const before = this.reads
    this.reads = source
    visit()
    this.reads = before
  }

  #piped({ commands }: Pipeline): void {
    for (const command of commands.slice(1)) this.ofCommands.add(command)
    const earlier: SimpleCommand[] = []
    this.#either(
      commands.map((each, at) => () => {
        const reads = at === 0 ? this.reads : earlier.length === at ? outputOf(earlier) : undefined
        this.#reading(reads, () => this.#visit(each))
        const command = each.type === 'Command' ? this.#simple.get(each) : undefined
        if (command) earlier.push(command)
      }),
    )
  }

  #redirected({ command, redirects }: Redirected): void {
    for (const redirect of redirects) this.#visit(redirect)
    const isRead = redirects.some(({ operator }) => operator.startsWith('<'))
    this.#reading(isRead ? this.#input(redirects) : this.reads, () => this.#visit(command))
  }

  #input([redirect, ...others]: readonly Redirection[]): WordSource | undefined {
    const parts = redirect?.type === 'Redirect' && redirect.operator === '<' ? (redirect.target?.parts ?? []) : []
    const [part, ...more] = parts
    const isOne = others.length === 0 && more.length === 0
    return isOne && part?.type === 'ProcessSubstitution' ? this.outputOf(part.script) : undefined
  }

  #children(node: SyntaxNode): void {
    const text = this.text
    if (node.type === 'Script') this.text = node.source ?? text
    forEachChild(node, (child) => this.#visit(child))
    this.text = text
  }

  /** Each way may be taken or none. */
  #either(ways: (() => unknown)[]): void {
    const before = this.state
    let all = before
    for (const way of ways) {
      this.state = before
      way()
      all = joined(all, this.state)
    }
    this.state = all
  }

  /** A command behind nothing but `&&` begins where the command before it ended. */
  #chained({ commands, operators }: AndOr): void {
    let all: ShellState | null = null
    for (const [index, command] of commands.entries()) {
      if (all && operators.slice(0, index).includes('||')) this.state = all
      this.#visit(command)
      all = all ? joined(all, this.state) : this.state
    }
    this.state = all ?? this.state
  }

  /** A body that runs any number of times: a folder that it changes cannot be followed. */
  #repeated(body: () => void): void {
    const before = this.state
    const isTracked = this.#isTracked
    const commands = this.script.commands.length
    body()
    const isSame = sameFolders(before, this.state)
    if (isSame && isTracked === this.#isTracked) {
      this.state = joined(before, this.state)
      return
    }
    this.script.commands.length = commands
    this.state = isSame ? { ...before, variables: new Map() } : lost(before)
    if (!isSame) this.#lose()
    body()
  }

  /** In a separate shell, but `${ …; }`. */
  #apart(body: () => void, node: SyntaxNode): void {
    const before = this.state
    body()
    const isSame = node.type === 'CommandExpansion' && node.text.startsWith('${')
    this.state = isSame ? joined(before, this.state) : before
  }

  #pass(node: Command): void {
    const command = this.#simple.get(node)
    if (!command) return
    const before = this.state
    this.state = after(command, before, this.place)
    if (command.words.length === 0) for (const { name, value } of command.assignments) this.#set(name, value)
    const name = lineRead(command)
    if (name !== null) this.#set(name, unknown('', command.reads))
    if (this.state.folders !== before.folders) this.#moves = true
    const [program] = command.words
    if (/^(trap|alias)$/.test(program?.text ?? '')) this.#deferred ??= command.source
    if (program && (program.is !== 'literal' || /^(trap|alias|eval|source|\.)$/.test(program.text))) this.#untrack()
    if (this.state.folders === null && before.folders !== null) this.#lose(command.source)
  }

  #untrack(): void {
    this.#isTracked = false
    this.state = { ...this.state, variables: new Map() }
  }

  #set(name: string, value: ShellWord): void {
    if (!this.#isTracked) return
    const known = this.#tracked.isNumber(name) ? unknown('', 'number') : this.#tracked.isSingle(name) ? value : null
    this.state = withVariable(this.state, name, known)
  }

  #lose(source = this.script.source): void {
    this.script.lost ??= source
  }

  #collect(node: SyntaxNode): void {
    if (node.type === 'Command') this.#simple.set(node, this.#push(this.read(node)))
    if (node.type === 'Redirected' || node.type === 'Function') this.ofCommands.add(node)
    if (node.type === 'Redirected')
      this.#push({
        source: this.textOf(node),
        words: [],
        assignments: [],
        redirects: node.redirects.map((each) => this.redirect(each)),
        piped: false,
        folders: this.state.folders,
      })
    if (node.type === 'Word' && !this.ofCommands.has(node))
      this.script.loose.push(...this.resolve(node).filter(({ is }) => is !== 'unknown'))
    const texts = evaluated(node)
    if (texts === null || !texts.every((each) => this.#isNumber(each))) this.script.evaluates = true
  }

  /** Whether a text that is evaluated is a number, or a variable that is one. */
  #isNumber(text: Word | string): boolean {
    if (typeof text !== 'string') {
      const [word, ...others] = this.resolve(text)
      return (
        others.length === 0 && (word?.source === 'number' || (word?.is === 'literal' && /^ *-?\d+$/.test(word.text)))
      )
    }
    const value = this.state.variables.get(text.replace(/^\$?\{?(\w+)\}?$/, '$1'))
    return /^\d*$|^\$[#?]$/.test(text) || value?.source === 'number' || /^\d+$/.test(value?.text ?? '')
  }

  #push(command: SimpleCommand): SimpleCommand {
    this.script.commands.push(command)
    this.#count += command.words.length + command.assignments.length + command.redirects.length
    if (this.#count > MOST_WORDS) throw new NotUnderstood('it has too many words')
    if (this.script.commands.length > MOST_COMMANDS) throw new NotUnderstood('it has too many commands')
    return command
  }
}
