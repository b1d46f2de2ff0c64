// Takes known secret values out of any text, in one pass over it: whatever comes from a program that knows them.
import { MASK, Secret } from '../../../schemas/secret.ts'
import { atOnce, type Pieces } from '../../async/time-slices.ts'
import { formsOf, LEAST_ANYWHERE } from './secret-forms.ts'
import { Trie } from './trie.ts'
import { visibleAt } from './invisible-text.ts'

/** Characters of a stream that are held back at most: what is hidden in a text has no end by itself. */
const MOST_HELD = 64 * 1024

/** Characters of a text that are looked at without a pause. */
const PIECE = 32 * 1024

/** Deeper values than this are not looked into: they are masked as a whole. */
const MOST_DEPTH = 200

type Span = [from: number, to: number]

/** Where secrets stand in a text, and whether one may have begun at its end. */
interface Found {
  spans: Span[]
  /** Where a secret may have begun that the text ends within; the text's length when none has. */
  open: number
}

/**
 * Masks a set of values: as they are, and in the forms a program commonly prints them in (JSON, URL, base64, hex), also
 * where line breaks, terminal sequences or invisible characters stand within. A value of 4 to 7 characters is masked
 * where it stands as a word; a shorter one, and a word such as `true`, never: it would be found everywhere.
 */
export class Masker {
  readonly #trie: Trie
  readonly #leaveAlone: ReadonlySet<string>

  /** `leaveAlone`: words that a value is never masked as when they are all of it, such as those of a protocol. */
  constructor(values: Iterable<Secret | string>, leaveAlone: ReadonlySet<string> = new Set()) {
    const plain = [...values].map((value) => (value instanceof Secret ? value.reveal() : value))
    this.#trie = new Trie(plain.flatMap(formsOf))
    this.#leaveAlone = leaveAlone
  }

  /** True when there is nothing to look for. */
  get idle(): boolean {
    return this.#trie.empty
  }

  /** The text with `***` in place of every secret; the same text when it holds none. */
  mask(text: string): string {
    if (this.idle || text === '') return text
    const masked = withoutSpans(text, this.#find(text).spans)
    // Inside a terminal sequence, such as a title, a secret is text as well.
    return masked.includes('\u001b') ? withoutSpans(masked, this.#find(masked, null).spans) : masked
  }

  /** A copy with all text in it masked, names of members included; the very same value when it holds no secret. */
  maskValue<T>(value: T): T {
    return atOnce(this.masking(value))
  }

  /** The same in pieces. */
  *masking<T>(value: T): Pieces<T> {
    return this.idle ? value : ((yield* this.#masked(value, 0)) as T)
  }

  /** For text that comes in pieces: what may be the beginning of a secret is held back until the next piece. */
  stream(): StreamMasker {
    return new StreamMasker((text) => this.#find(text))
  }

  *#maskedText(text: string): Pieces<string> {
    if (text.length <= PIECE) return this.#leaveAlone.has(text) ? text : this.mask(text)
    const masked = yield* through(text, this.stream())
    return masked.includes('\u001b')
      ? yield* through(masked, new StreamMasker((part) => this.#find(part, null)))
      : masked
  }

  *#masked(value: unknown, depth: number): Pieces<unknown> {
    if (typeof value === 'string') return yield* this.#maskedText(value)
    if (typeof value === 'number') return this.#maskNumber(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth >= MOST_DEPTH) return MASK
    if (Array.isArray(value)) {
      const items: unknown[] = []
      for (const item of value) items.push(yield* this.#masked(item, depth + 1))
      return items.some((item, index) => item !== value[index]) ? items : value
    }
    const members: [string, unknown][] = []
    let changed = false
    for (const [name, member] of Object.entries(value)) {
      const masked: [string, unknown] = [yield* this.#maskedText(name), yield* this.#masked(member, depth + 1)]
      changed ||= masked[0] !== name || masked[1] !== member
      members.push(masked)
      yield
    }
    return changed ? Object.fromEntries(members) : value
  }

  /** Short numbers are ports and counts: only one that a long secret is all of is masked. */
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

/** Spans that touch become one. */
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

/** A long text by way of a stream; the very same text when nothing is masked in it. */
function* through(text: string, stream: StreamMasker): Pieces<string> {
  const parts: string[] = []
  for (let at = 0; at < text.length; at += PIECE) {
    parts.push(stream.push(text.slice(at, at + PIECE)))
    yield
  }
  return parts.join('') + stream.end()
}

/** Text in pieces, masked as if it had come at once. */
export class StreamMasker {
  readonly #find: (text: string) => Found
  #held = ''

  constructor(find: (text: string) => Found) {
    this.#find = find
  }

  /** What may be shown now. */
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

  /** The rest, when no piece follows. */
  end(): string {
    const rest = this.#held
    this.#held = ''
    return withoutSpans(rest, this.#find(rest).spans)
  }
}
