import { MASK, Secret } from '../../../schemas/secret.ts'
import { atOnce, type Pieces } from '../../async/time-slices.ts'
import { formsOf, LEAST_ANYWHERE } from './secret-forms.ts'
import { Trie } from './trie.ts'
import { visibleAt } from './invisible-text.ts'

/** Maximum number of characters that a stream holds back. */
const MOST_HELD = 64 * 1024

const PIECE = 32 * 1024

const MOST_DEPTH = 200

type Span = [from: number, to: number]

/** Whole values that are not masked. */
export type Words = Pick<ReadonlySet<string>, 'has'>

interface Found {
  spans: Span[]
  /** Start of a secret that may continue after the text; else the text's length. */
  open: number
}

/**
 * Masks values in plain form and common encodings, even if line breaks, terminal sequences or invisible characters
 * interrupt them. Masks values of 4 to 7 characters only as whole words, and shorter ones never.
 */
export class Masker {
  readonly #trie: Trie
  readonly #leaveAlone: Words

  /** `leaveAlone`: whole values that are not masked, such as protocol keywords. */
  constructor(values: Iterable<Secret | string>, leaveAlone: Words = new Set()) {
    const plain = [...values].map((value) => (value instanceof Secret ? value.reveal() : value))
    this.#trie = new Trie(plain.flatMap(formsOf))
    this.#leaveAlone = leaveAlone
  }

  get idle(): boolean {
    return this.#trie.empty
  }

  mask(text: string): string {
    if (this.idle || text === '') return text
    const masked = withoutSpans(text, this.#find(text).spans)
    // Terminal sequences, such as titles, can contain secrets.
    return masked.includes('\u001b') ? withoutSpans(masked, this.#find(masked, null).spans) : masked
  }

  /** Returns a copy with all text masked, including field names; the same value if nothing is masked. */
  maskValue<T>(value: T): T {
    return atOnce(this.masking(value))
  }

  /** Sliced variant of maskValue(). `leaveAlone` replaces that of the constructor. */
  *masking<T>(value: T, leaveAlone = this.#leaveAlone): Pieces<T> {
    return this.idle ? value : ((yield* this.#masked(value, leaveAlone, 0)) as T)
  }

  /** Masks text in chunks: holds back a possible start of a secret until the next chunk. */
  stream(): StreamMasker {
    return new StreamMasker((text) => this.#find(text))
  }

  *#maskedText(text: string, leaveAlone: Words): Pieces<string> {
    if (text.length <= PIECE) return leaveAlone.has(text) ? text : this.mask(text)
    const masked = yield* through(text, this.stream())
    return masked.includes('\u001b')
      ? yield* through(masked, new StreamMasker((part) => this.#find(part, null)))
      : masked
  }

  *#masked(value: unknown, leaveAlone: Words, depth: number): Pieces<unknown> {
    if (typeof value === 'string') return yield* this.#maskedText(value, leaveAlone)
    if (typeof value === 'number') return this.#maskNumber(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth >= MOST_DEPTH) return MASK
    if (Array.isArray(value)) {
      const items: unknown[] = []
      for (const item of value) items.push(yield* this.#masked(item, leaveAlone, depth + 1))
      return items.some((item, index) => item !== value[index]) ? items : value
    }
    const members: [string, unknown][] = []
    let changed = false
    for (const [name, member] of Object.entries(value)) {
      const maskedName = yield* this.#maskedText(name, leaveAlone)
      const masked: [string, unknown] = [maskedName, yield* this.#masked(member, leaveAlone, depth + 1)]
      changed ||= masked[0] !== name || masked[1] !== member
      members.push(masked)
      yield
    }
    return changed ? Object.fromEntries(members) : value
  }

  /** Keeps short numbers, which are ports and counts. */
  #maskNumber(value: number): unknown {
    const text = String(value)
    return text.length >= LEAST_ANYWHERE && this.mask(text) === MASK ? MASK : value
  }

  #find(text: string, visible = visibleAt(text)): Found {
    const spans: Span[] = []
    const trie = this.#trie
    const count = visible === null ? text.length : visible.length
    const node = trie.scan(text, visible, (at, taken) => {
      for (const form of trie.formsAt(at)) {
        const start = taken - form.text.length
        const span: Span = visible === null ? [start, taken] : [visible[start]!, visible[taken - 1]! + 1]
        if (form.asWord && !isWord(text, span, form.text.length)) continue
        return addSpan(spans, span)
      }
    })
    const first = count - trie.depthOf(node)
    return { spans, open: first === count ? text.length : visible === null ? first : visible[first]! }
  }
}

function addSpan(spans: Span[], [from, to]: Span): void {
  let start = from
  for (let last = spans.at(-1); last && last[1] >= start; last = spans.at(-1)) {
    start = Math.min(start, last[0])
    spans.pop()
  }
  spans.push([start, to])
}

const WORD = /[\p{L}\p{N}_]/u

function isWord(text: string, [from, end]: Span, length: number): boolean {
  return end - from === length && !WORD.test(text.charAt(from - 1)) && !WORD.test(text.charAt(end))
}

function withoutSpans(text: string, spans: Span[]): string {
  if (spans.length === 0) return text
  let result = ''
  let at = 0
  for (const [from, to] of spans) {
    result += text.slice(at, from) + MASK
    at = to
  }
  return result + text.slice(at)
}

function* through(text: string, stream: StreamMasker): Pieces<string> {
  const parts: string[] = []
  for (let at = 0; at < text.length; at += PIECE) {
    parts.push(stream.push(text.slice(at, at + PIECE)))
    yield
  }
  return parts.join('') + stream.end()
}

export class StreamMasker {
  readonly #find: (text: string) => Found
  #held = ''

  constructor(find: (text: string) => Found) {
    this.#find = find
  }

  push(piece: string): string {
    const text = this.#held + piece
    const { spans, open: first } = this.#find(text)
    const open = text.length - first > MOST_HELD ? text.length : first
    this.#held = text.slice(open)
    return withoutSpans(
      text.slice(0, open),
      spans.filter(([from]) => from < open),
    )
  }

  end(): string {
    const rest = this.#held
    this.#held = ''
    return withoutSpans(rest, this.#find(rest).spans)
  }
}
