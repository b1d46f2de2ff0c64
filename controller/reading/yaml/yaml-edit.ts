// Edits one field as text and leaves the rest of the file unchanged.
import {
  isMap,
  isScalar,
  isSeq,
  stringify,
  visit,
  type Alias,
  type Document,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { parseExtent, type PlacedText } from './positions.ts'

type Value = (Scalar | YAMLMap) | null

/** For one change; each method returns the changed text of the whole file. */
export class YamlEdit {
  readonly #text: string
  readonly #document: Document.Parsed
  readonly #offset: number
  readonly #newline: string

  constructor(placed: PlacedText) {
    this.#text = placed.text
    this.#document = parseExtent(placed)
    this.#offset = placed.from
    this.#newline = placed.text.includes('\r\n') ? '\r\n' : '\n'
  }

  /** Null if part of the path is behind an alias. */
  mapping(path: readonly (string | number)[]): YAMLMap | null {
    const node = this.#at(path)
    return isMap(node) ? node : null
  }

  list(path: readonly (string | number)[]): YAMLSeq | null {
    const node = this.#at(path)
    return isSeq(node) ? node : null
  }

  #at(path: readonly (string | number)[]): unknown {
    let node: unknown = this.#document.contents
    for (const step of path)
      if (isMap(node)) node = pairOf(node, step)?.value ?? null
      else node = isSeq(node) && typeof step === 'number' ? (node.items[step] ?? null) : null
    return node
  }

  /** With `newName`, replaces the whole field. */
  replace(map: YAMLMap, name: string, value: unknown, newName = name): string {
    const pair = pairOf(map, name)!
    const old = newName === name ? (pair.value as Value) : null
    const start = newName === name ? this.#afterColon(pair) : this.#start(pair)
    const flow = Boolean(map.flow) || (!isScalar(old) && Boolean(old?.flow))
    const rendered = flow ? this.#inline(value, old) : this.#block(value, this.#column(this.#start(pair)), old)
    return this.#put(start, this.#end(pair), newName === name ? rendered : `${newName}:${rendered}`)
  }

  /** Moves a trailing comment to the head of a new block: below it, it would become text. */
  #put(start: number, end: number, rendered: string): string {
    const head = /^[^\n]*[|>][-+\d]*(?=\r?\n)/.exec(rendered)?.[0]
    const beside = head === undefined ? '' : (/^[ \t]+#[^\r\n]*/.exec(this.#text.slice(end))?.[0] ?? '')
    if (head === undefined || beside === '') return this.#splice(start, end, rendered)
    return this.#splice(start, end + beside.length, `${head}${beside}${rendered.slice(head.length)}`)
  }

  add(map: YAMLMap, name: string, value: unknown): string {
    const last = map.items.at(-1)
    if (!last) {
      const inside = this.#offset + map.range![0] + 1
      return this.#splice(inside, this.#offset + map.range![1] - 1, ` ${name}:${this.#inline(value, null)} `)
    }
    const end = this.#end(last)
    if (map.flow) return this.#splice(end, end, `, ${name}:${this.#inline(value, null)}`)
    const column = this.#column(this.#start(map.items[0]!))
    const added = `${' '.repeat(column)}${name}:${this.#block(value, column, null)}`
    const open = this.#openEnd(last.value)
    if (open !== null) return this.#splice(open, open, `${added}${this.#newline}`)
    const line = this.#lineEnd(end)
    return this.#splice(line, line, `${this.#newline}${added}`)
  }

  remove(map: YAMLMap, name: string): string {
    const pair = pairOf(map, name)!
    const index = map.items.indexOf(pair)
    const [before, after] = [map.items[index - 1], map.items[index + 1]]
    const [start, end] = [this.#start(pair), this.#end(pair)]
    if (!map.flow) return this.#cutLines(start, end)
    return before ? this.#splice(this.#end(before), end, '') : this.#splice(start, after ? this.#start(after) : end, '')
  }

  /**
   * Moves an anchor to its first alias, so that the field can change alone. Null without a later alias, or if the value
   * spans several lines.
   */
  withAnchorMoved(map: YAMLMap, name: string): string | null {
    const value = pairOf(map, name)?.value as (Value & { anchor?: string }) | undefined
    if (!value?.anchor) return null
    let first: Alias | null = null
    visit(this.#document, {
      Alias: (_key, alias) => {
        if (alias.source !== value.anchor || alias.range![0] < value.range![1]) return undefined
        first = alias
        return visit.BREAK
      },
    })
    const text = this.#text.slice(this.#offset + value.range![0], this.#offset + value.range![1]).trimEnd()
    if (!first || text.includes('\n')) return null
    const [start, end] = (first as Alias).range!
    return this.#splice(this.#offset + start, this.#offset + end, `&${value.anchor} ${text}`)
  }

  addItem(list: YAMLSeq, value: unknown): string {
    const last = list.items.at(-1)
    if (list.flow) {
      const end = last ? this.#offset + lastOffset(last) : this.#offset + list.range![0] + 1
      return this.#splice(end, end, `${last ? ',' : ''}${this.#inline(value, null)}`.slice(last ? 0 : 1))
    }
    const column = this.#column(this.#dash(list.items[0]))
    const end = this.#lineEnd(this.#offset + lastOffset(last))
    const lines = stringify([value], { lineWidth: 0 }).trimEnd().split('\n')
    return this.#splice(end, end, lines.map((line) => `${this.#newline}${' '.repeat(column)}${line}`).join(''))
  }

  removeItem(list: YAMLSeq, index: number): string {
    const [before, item, after] = [list.items[index - 1], list.items[index], list.items[index + 1]]
    const [start, end] = [this.#offset + startOf(item), this.#offset + lastOffset(item)]
    if (!list.flow) return this.#cutLines(this.#dash(item), end)
    return before
      ? this.#splice(this.#offset + lastOffset(before), end, '')
      : this.#splice(start, after ? this.#offset + startOf(after) : end, '')
  }

  #cutLines(start: number, end: number): string {
    const lineEnd = this.#lineEnd(end)
    const newline = this.#text.startsWith(this.#newline, lineEnd) ? this.#newline.length : 0
    return this.#splice(this.#lineStart(start), lineEnd + newline, '')
  }

  #dash(item: unknown): number {
    return this.#text.lastIndexOf('-', this.#offset + startOf(item) - 1)
  }

  /** Block-style text after the colon, with its leading blank or newline. */
  #block(value: unknown, column: number, old: Value): string {
    const nested = typeof value === 'object' && value !== null && Object.keys(value).length > 0
    const quoted = isScalar(old) && typeof value === 'string' && !value.includes('\n') ? quotes(old) : {}
    // A block loses trailing blank lines if text follows, and whitespace-only lines are invisible.
    const isQuoted = typeof value === 'string' && (value.endsWith('\n\n') || /^[ \t]+$/m.test(value))
    const text = stringify(nested ? value : [value], {
      lineWidth: 0,
      ...quoted,
      ...(isQuoted ? { blockQuote: false } : {}),
    }).replace(/\n+$/, '')
    const lines = nested ? ['', ...text.split('\n').map((line) => `  ${line}`)] : ` ${text.slice(2)}`.split('\n')
    return lines
      .map((line, index) => (index === 0 || line.trim() === '' ? line.trimEnd() : `${' '.repeat(column)}${line}`))
      .join(this.#newline)
  }

  /** Single-line form, for fields of `{…}` and values written as `[…]`. */
  #inline(value: unknown, old: Value): string {
    const opening = old?.range ? this.#text.slice(this.#offset + old.range[0], this.#offset + old.range[0] + 2) : ''
    const quoted = isScalar(old) && typeof value === 'string' ? quotes(old) : {}
    const text = stringify([value], {
      collectionStyle: 'flow',
      lineWidth: 0,
      flowCollectionPadding: /^[[{]\s/.test(opening),
      ...quoted,
    }).trim()
    return ` ${text.slice(1, -1).trim().replace(/\n\s*/g, ' ')}`
  }

  #start(pair: Pair): number {
    return this.#offset + (pair.key as Scalar).range![0]
  }

  #afterColon(pair: Pair): number {
    return this.#text.indexOf(':', this.#offset + (pair.key as Scalar).range![1]) + 1
  }

  /** End of the value, without following comments and blank lines. */
  #end(pair: Pair): number {
    const value = pair.value as Value
    if (!value?.range || (isScalar(value) && value.value === null && !value.source)) return this.#afterColon(pair)
    const end = this.#offset + lastOffset(value)
    const start = this.#afterColon(pair)
    const text = this.#text.slice(start, end)
    // Trailing blanks on a line belong to the block.
    return start + (isBlock(lastOf(value)) ? text.replace(/(?:\r?\n[ \t]*)+$/, '') : text.trimEnd()).length
  }

  /** End of a block that keeps its blank lines (`|+`); null otherwise. */
  #openEnd(value: unknown): number | null {
    const last = lastOf(value)
    if (!isBlock(last)) return null
    const [start, end] = [this.#offset + last.range![0], this.#offset + last.range![1]]
    const keeps = /^[|>]\d?\+/.test(this.#text.slice(start, end)) && /\n\r?\n$/.test(this.#text.slice(start, end))
    return keeps ? end : null
  }

  #column(at: number): number {
    return at - this.#lineStart(at)
  }

  #lineStart(at: number): number {
    return this.#text.lastIndexOf('\n', at - 1) + 1
  }

  #lineEnd(at: number): number {
    const newline = this.#text.indexOf(this.#newline, at)
    return newline < 0 ? this.#text.length : newline
  }

  #splice(start: number, end: number, insert: string): string {
    return this.#text.slice(0, start) + insert + this.#text.slice(end)
  }
}

function startOf(node: unknown): number {
  return (node as { range: [number, number, number] }).range[0]
}

function pairOf(map: YAMLMap, name: string | number): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && String(key.value) === String(name))
}

function quotes(old: Scalar): { defaultStringType?: 'QUOTE_DOUBLE' | 'QUOTE_SINGLE' } {
  return old.type === 'QUOTE_DOUBLE' || old.type === 'QUOTE_SINGLE' ? { defaultStringType: old.type } : {}
}

/** The range of a block collection includes following comments; that of its last item does not. */
const lastOffset = (node: unknown): number => (lastOf(node) as { range: [number, number, number] }).range[1]

function lastOf(node: unknown): unknown {
  const { items, flow } = (node ?? {}) as { items?: unknown[]; flow?: boolean }
  if (!items || flow || items.length === 0) return node
  const last = items.at(-1) as { key?: unknown; value?: unknown }
  const inner = 'key' in last ? ((last.value as Value)?.range ? last.value : last.key) : last
  return lastOf(inner)
}

const isBlock = (node: unknown): node is Scalar =>
  isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')
