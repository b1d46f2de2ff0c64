// A basic regular expression of GNU, as one that ripgrep takes and that matches on every line which it matches on, and
// perhaps on more: enough to tell which files need not be looked into.
import { classSuperset, setSuperset } from './brackets.ts'

/** Any character. What the two understand differently stands for any. */
const ANY = '.'
const ANYTHING = `${ANY}*`

/** Escapes that say where, and match nothing: without them more is matched. */
const PLACES = new Set(['b', 'B', '<', '>', '`', "'"])
const CLASSES = new Set(['w', 'W', 's', 'S'])
/** A sign that repeats what stands before it. */
const REPEATED = /^(?:\*|\\[+?{])/

/** Letters, digits and signs that mean themselves, `.`, `*`, places and anchors anywhere, and brackets of these with ranges that rise. */
const PLAIN =
  /^(?:[\w \t,;:!@#%&~"'`<>=/?+(){}|.*^$-]|\\[.*[\]^$bBwWsS<>|]|\[\^?(?:[0-9]-9|[a-z]-z|[A-Z]-Z|[A-Za-z0-9_])+\])+$/

/** True only for what grep takes for an expression, so that it need not be asked. */
export const isSurelyOne = (pattern: string): boolean => PLAIN.test(pattern)

/** Null where it is not known to match as much. */
export function supersetOf(pattern: string): string | null {
  if (/[\n\0]/.test(pattern)) return null
  return new Translation(pattern).all()
}

class Translation {
  readonly #characters: string[]
  #at = 0
  #open = 0
  /** Nothing stands before: a star is a star there. */
  #isFirst = true
  #isRepeated = false
  #done = ''

  constructor(pattern: string) {
    this.#characters = Array.from(pattern)
  }

  all(): string | null {
    while (this.#at < this.#characters.length) if (!this.#step()) return null
    return this.#open === 0 ? this.#done : null
  }

  /** False for what nobody knows. */
  #step(): boolean {
    const character = this.#characters[this.#at++]!
    if (character === '\\') return this.#escape(this.#characters[this.#at++])
    if (character === '[') return this.#bracket()
    // An anchor, or the sign itself, wherever it stands; so with a star that has nothing to repeat.
    if (character === '^') return this.#atom('(?:\\^?)', this.#isFirst)
    if (character === '$') return this.#atom('(?:\\$?)')
    if (character === '*') return this.#isFirst ? this.#atom('(?:\\**)') : this.#repeat('*')
    return this.#atom(character === '.' ? ANY : escaped(character))
  }

  #escape(character: string | undefined): boolean {
    if (character === undefined) return false
    if (character === '(') {
      this.#open++
      this.#done += '(?:'
      this.#isRepeated = false
      this.#isFirst = true
      return true
    }
    if (character === ')') {
      if (this.#open-- === 0) return false
      this.#done += ')'
      this.#isRepeated = false
      this.#isFirst = false
      return true
    }
    if (character === '|') {
      this.#done += '|'
      this.#isRepeated = false
      this.#isFirst = true
      return true
    }
    if (character === '+' || character === '?') return !this.#isFirst && this.#repeat(character)
    if (character === '{') return !this.#isFirst && this.#interval()
    // Nothing at all, so that the letters around it stand together: those are what ripgrep looks for first.
    if (PLACES.has(character)) return this.#atom(REPEATED.test(this.#rest()) ? '(?:)' : '')
    if (CLASSES.has(character)) return this.#atom(classSuperset(character))
    if (/[1-9]/.test(character)) return this.#atom(`(?:${ANYTHING})`)
    return /[.*[\]^$\\/-]/.test(character) && this.#atom(escaped(character))
  }

  #rest(): string {
    return this.#characters.slice(this.#at).join('')
  }

  /** One that a sign after it repeats as a whole. */
  #atom(text: string, staysFirst = false): boolean {
    this.#done += text
    this.#isRepeated = false
    this.#isFirst = staysFirst
    return true
  }

  /** Whatever stands before, as often. */
  #repeat(sign: string): boolean {
    // A sign after a sign means something else there: less greed, or more.
    this.#done = this.#isRepeated ? `${this.#done.slice(0, -1)}*` : `${this.#done}${sign}`
    this.#isRepeated = true
    return true
  }

  /** So often, or more often. */
  #interval(): boolean {
    const [whole, least] = /^(\d*)(?:,\d*)?\\\}/.exec(this.#rest()) ?? []
    if (whole === undefined) return false
    this.#at += whole.length
    return this.#repeat(Number(least) > 0 ? '+' : '*')
  }

  #bracket(): boolean {
    const [whole] = /^\^?\]?(?:\[:\w+:\]|\[=.=\]|\[\..\.\]|[^\][]|\[(?![:=.]))*\]/u.exec(this.#rest()) ?? []
    if (whole === undefined) return false
    this.#at += Array.from(whole).length
    return this.#atom(setSuperset(whole.slice(0, -1)) ?? ANY)
  }
}

const escaped = (character: string): string => character.replace(/[\\.+*?()|[\]{}^$#&~-]/g, '\\$&')
