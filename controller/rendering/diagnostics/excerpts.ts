// Excerpts of manifest lines that show only values of fields known not to be secret.
import { isAlias, isMap, isScalar, isSeq, visit, type Node, type Pair } from 'yaml'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { composeDocuments } from '../../bounded-yaml.ts'
import { MASK } from '../../../schemas/secret.ts'
import { KNOWN_MEMBERS, SECRET_MEMBERS } from '../../../schemas/validation/member-names.ts'
import { printable } from './printable.ts'

export interface Excerpt {
  line: string
  caret: string
}

const WIDTH = 120

/** Null if the position does not exist. */
export function excerptsOf(text: string): (line: number, column: number) => Excerpt | null {
  const lines = shownLines(text.replace(/^\uFEFF/, ''))
  return (line, column) => {
    const shownLine = lines[line - 1]?.replace(/\r$/, '')
    if (shownLine === undefined || shownLine.trim() === '') return null
    const start = column > WIDTH ? column - WIDTH / 2 : 0
    const shown = printable(shownLine.slice(start, start + WIDTH))
    const before = shown.slice(0, Math.max(0, column - 1 - start))
    return { line: shown, caret: `${before.replace(/[^\t]/g, ' ')}^` }
  }
}

type Range = [from: number, to: number]

/** Hidden parts become `***`; comments are removed. */
export function shownLines(text: string): string[] {
  const ranges = hiddenRanges(text)
  return ranges === null ? uncertainLines(text) : withoutRanges(text, ranges).map(withoutComment)
}

const withoutComment = (line: string): string => line.replace(/(^|\s)#.*$/, '$1').trimEnd()

/** Secrets and unknown fields; null if the text cannot be parsed within limits. */
function hiddenRanges(text: string): Range[] | null {
  try {
    const { documents, excess } = atOnce(composeDocuments(text))
    if (excess || documents.some((document) => document.errors.length > 0)) return null
    return documents.flatMap((document) => {
      const ranges: Range[] = []
      hideBelow(document.contents, ranges, text)
      if (text.includes('*')) hideShared(document.contents, ranges)
      return ranges
    })
  } catch {
    return null
  }
}

function hideBelow(node: Node | null, ranges: Range[], text: string): void {
  if (isMap(node)) for (const pair of node.items) hidePair(pair as Pair<Node, Node | null>, ranges, text)
  else if (node?.range) ranges.push([node.range[0], node.range[1]])
}

function hidePair({ key, value }: Pair<Node, Node | null>, ranges: Range[], text: string): void {
  const name = isScalar(key) ? String(key.value) : null
  const keyEnd = key?.range?.[1] ?? 0
  if (name === null || !KNOWN_MEMBERS.has(name)) {
    // Not a plain name, such as a wrongly indented `KEY=value`.
    if (!/^[A-Za-z_][\w.-]{0,63}$/.test(name ?? '') && key?.range) ranges.push([key.range[0], keyEnd])
    hideValue(keyEnd, value, ranges, text)
  } else if (SECRET_MEMBERS.has(name)) hideSecret(keyEnd, value, ranges, text)
  else hideInside(value, ranges, text)
}

/** Below a known field, texts are shown and mappings are searched. */
function hideInside(node: Node | null, ranges: Range[], text: string): void {
  if (isMap(node)) return hideBelow(node, ranges, text)
  if (isSeq(node)) for (const item of node.items) hideInside(item as Node | null, ranges, text)
}

/** In a mapping of secrets, plain names are shown. */
function hideSecret(keyEnd: number, node: Node | null, ranges: Range[], text: string): void {
  const named = isMap(node) && node.anchor === undefined && node.tag === undefined ? node : null
  if (!named) return hideValue(keyEnd, node, ranges, text)
  for (const { key, value } of named.items as Pair<Node, Node | null>[]) {
    const isName = isScalar(key) && typeof key.value === 'string' && /^[A-Za-z_]\w*$/.test(key.value)
    const isGiven = value !== null && !(isScalar(value) && value.value === null)
    if (!isName || !isGiven || key.anchor !== undefined || key.tag !== undefined) {
      if (key?.range) ranges.push([key.range[0], key.range[1]])
    }
    hideValue(key?.range?.[1] ?? keyEnd, value, ranges, text)
  }
}

/** From the colon: anchors and tags precede the value's own range. */
function hideValue(keyEnd: number, value: Node | null, ranges: Range[], text: string): void {
  const end = value?.range?.[1] ?? keyEnd
  const colon = text.indexOf(':', keyEnd)
  if (colon < 0 || colon >= end) return
  ranges.push([colon + 1, end])
}

/** An aliased value may be a secret elsewhere. */
function hideShared(contents: Node | null, ranges: Range[]): void {
  if (!contents) return
  visit(contents, {
    Node: (_, node) => {
      if (!node.range || (!isAlias(node) && node.anchor === undefined)) return
      ranges.push([node.range[0], node.range[1]])
    },
  })
}

function withoutRanges(text: string, ranges: Range[]): string[] {
  const sorted = ranges.filter(([from, to]) => to > from).sort((a, b) => a[0] - b[0])
  const lines: string[] = []
  let [start, next, hiddenTo] = [0, 0, 0]
  for (const line of text.split('\n')) {
    const end = start + line.length
    let shown = ''
    let at = start
    while (at < end) {
      while (next < sorted.length && sorted[next]![0] <= at) hiddenTo = Math.max(hiddenTo, sorted[next++]![1])
      const stop = Math.min(end, hiddenTo > at ? hiddenTo : (sorted[next]?.[0] ?? end))
      shown += hiddenTo > at ? hidden(text.slice(at, stop)) : text.slice(at, stop)
      at = stop
    }
    lines.push(shown)
    start = end + 1
  }
  return lines
}

function hidden(piece: string): string {
  if (piece.trim() === '') return piece
  return piece.slice(0, piece.length - piece.trimStart().length) + MASK
}

const LINE = /^(\s*(?:- )*)(["']?)([\w.-]+)\2(\s*:)(?=\s|$)(.*)$/
const HIDES = new RegExp(`\\b(${[...SECRET_MEMBERS].join('|')})\\b|\\\\[xuU]`)

/**
 * Secrets cannot be located in text that does not parse. Shows all lines if they mention only known, non-secret fields,
 * else only known names.
 */
function uncertainLines(text: string): string[] {
  const lines = text.split('\n')
  const isPlain = (line: string) => {
    const name = LINE.exec(line)?.[3]
    return name === undefined ? !/[:=]/.test(line.replace(/(^|\s)#.*$/, '')) : KNOWN_MEMBERS.has(name)
  }
  if (!HIDES.test(text) && lines.every(isPlain)) return lines
  return lines.map((line) => {
    const [, before, quote, name, colon, after = ''] = LINE.exec(line) ?? []
    if (name !== undefined && KNOWN_MEMBERS.has(name))
      return `${before}${quote}${name}${quote}${colon}${after.trim() === '' ? '' : ` ${MASK}`}`
    return line.trim() === '' ? line : hidden(line)
  })
}
