// The variables of a script whose value can be followed: set once, or never to anything but numbers.
import { forEachChild, type SyntaxNode, type Word } from 'unbash'

interface Uses {
  /** Assignments, loops and `read`. */
  writes: number
  numeric: boolean
  /** In arithmetic, which gives it no value but a number. */
  reckoned: number
  /** Words of the source that are the name, but for expansions. */
  mentions: number
  /** Of these, those beside a dot, a slash or a dash, which no builtin takes for the name. */
  others: number
}

const NAME = /^[A-Za-z_]\w*$/

export class TrackedVariables {
  readonly #uses = new Map<string, Uses>()

  constructor(parsed: SyntaxNode, source: string) {
    this.#collect(parsed)
    if (this.#uses.size > 0) for (const match of source.matchAll(/\w+/g)) this.#mention(match[0], match.index, source)
  }

  /** Set in one place, and named nowhere else but in expansions: no builtin can change it. */
  isSingle(name: string): boolean {
    const uses = this.#uses.get(name)
    return uses?.writes === 1 && uses.mentions - uses.others === 1
  }

  isNumber(name: string): boolean {
    const uses = this.#uses.get(name)
    return uses !== undefined && uses.numeric && uses.mentions === uses.writes + uses.reckoned
  }

  #mention(name: string, at: number, source: string): void {
    const uses = this.#uses.get(name)
    if (!uses || source[at - 1] === '$') return
    const after = source.slice(at + name.length, at + name.length + 3)
    if (/\$\{[#!]?$/.test(source.slice(Math.max(0, at - 3), at)) && !/^:{0,2}=/.test(after)) return
    uses.mentions++
    if (/[./-]/.test(source[at - 1] ?? '') || /^[./-]/.test(after)) uses.others++
  }

  #use(name: string, numeric: boolean, use: 'writes' | 'reckoned' = 'writes'): void {
    const uses = this.#uses.get(name) ?? { writes: 0, numeric: true, reckoned: 0, mentions: 0, others: 0 }
    uses[use]++
    uses.numeric &&= numeric
    this.#uses.set(name, uses)
  }

  #collect(node: SyntaxNode): void {
    if (node.type === 'Assignment')
      this.#use(node.name, node.value.type === 'Word' && node.index === undefined && isNumeric(node.value))
    if (node.type === 'For' || node.type === 'Select') this.#use(node.name.text, false)
    if (node.type === 'ArithmeticWord' && NAME.test(node.value)) this.#use(node.value, true, 'reckoned')
    if (node.type === 'Command' && node.name?.text === 'read')
      for (const word of node.suffix) if (word.type === 'Word' && NAME.test(word.text)) this.#use(word.text, false)
    forEachChild(node, (child) => this.#collect(child))
  }
}

function isNumeric({ text, parts = [] }: Word): boolean {
  if (/^-?\d+$/.test(text)) return true
  const [part, ...more] = parts
  return more.length === 0 && (part?.type === 'ArithmeticExpansion' || /^\$[?#!$]$/.test(text))
}
