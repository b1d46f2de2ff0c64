import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml'
import { elementKey, keyOfList } from '../../../schemas/members/keyed-list.ts'
import type { KindDefinition, Path } from '../../../schemas/kind.ts'
import { pathOf, stepsOf, type PathStep } from '../../../schemas/members/member-path.ts'
import type { Position } from '../desired-state.ts'
import { PARSE_OPTIONS } from '../../bounded-yaml.ts'
import type { Extent } from './parse.ts'

/** Columns are UTF-16 units from 1, as in editors. Counts lines up to the offsets asked for. */
export class Lines {
  readonly #counter = new LineCounter()
  readonly #text: string
  /** Offset of the first line feed that is not counted; -1 if there is none. */
  #next: number

  constructor(text: string) {
    this.#text = text
    this.#next = text.indexOf('\n')
    this.#counter.addNewLine(0)
  }

  at(offset: number): Position {
    for (; this.#next >= 0 && this.#next < offset; this.#next = this.#text.indexOf('\n', this.#next + 1))
      this.#counter.addNewLine(this.#next + 1)
    const { line, col: column } = this.#counter.linePos(offset)
    return { line, column }
  }
}

export interface PlacedText extends Extent {
  text: string
}

export type Side = 'key' | 'value'

/** Result offsets are relative to `from`. */
export function parseExtent({ text, from, to }: PlacedText): Document.Parsed {
  return parseDocument(text.slice(from, to), PARSE_OPTIONS)
}

/** Caches only the last document: callers proceed document by document. */
export class Locator {
  #text: string | null = null
  #lines: Lines | null = null
  #from = -1
  #document: Document.Parsed | null = null

  /** Falls back to the nearest written parent. An empty path is the document. */
  at(placed: PlacedText, path: Path, side: Side): Position {
    const offset = placed.from + offsetOf(this.#parsed(placed), path, side)
    return this.#lines!.at(offset)
  }

  /** Text of a scalar in the file, without quotes; undefined for other values. */
  textAt(placed: PlacedText, path: Path): string | undefined {
    const document = this.#parsed(placed)
    const resolved = (node: unknown) => (isAlias(node) ? node.resolve(document) : node)
    let node: unknown = resolved(document.contents)
    for (const segment of path) node = resolved(childOf(node, segment))
    return isScalar(node) ? node.source : undefined
  }

  #parsed(placed: PlacedText): Document.Parsed {
    if (this.#text !== placed.text) [this.#text, this.#lines, this.#from] = [placed.text, new Lines(placed.text), -1]
    if (this.#from !== placed.from) [this.#document, this.#from] = [parseExtent(placed), placed.from]
    return this.#document!
  }
}

const pairOf = (node: unknown, name: string | number) =>
  isMap(node) ? node.items.find(({ key }) => isScalar(key) && keyText(key) === String(name)) : undefined

const childOf = (node: unknown, segment: string | number): unknown =>
  isSeq(node) ? node.items[Number(segment)] : pairOf(node, segment)?.value

function offsetOf(document: Document.Parsed, path: Path, side: Side): number {
  let node: unknown = document.contents
  let offset = document.contents?.range[0] ?? 0
  for (const segment of path) {
    if (isSeq(node) && typeof segment === 'number') {
      node = node.items[segment]
      offset = rangeStart(node) ?? offset
      continue
    }
    const pair = pairOf(node, segment)
    if (!pair) break
    const key = rangeStart(pair.key) ?? offset
    node = pair.value
    offset = side === 'key' ? key : isWritten(node) ? rangeStart(node)! : key
  }
  return offset
}

function keyText(key: { value: unknown; source?: string }): string {
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))
}

/** A field without a value is located at its name. */
function isWritten(node: unknown): boolean {
  return rangeStart(node) !== null && !(isScalar(node) && node.value === null && !node.source)
}

function rangeStart(node: unknown): number | null {
  return (node as { range?: [number, number, number] } | null)?.range?.[0] ?? null
}

/**
 * Splits a canonical path into the part written in the manifest (`path`) and missing steps (`rest`); understands other
 * spellings, names with dots and keyed lists.
 */
export function memberSteps(
  manifest: unknown,
  canonical: string,
  { spellings = {}, keyed }: Pick<KindDefinition, 'spellings' | 'keyed'> = {},
): { path: Path; rest: PathStep[] } {
  const path: Path = []
  let value = manifest
  const steps = stepsOf(canonical)
  let rest = steps
  while (rest.length > 0 && typeof value === 'object' && value !== null) {
    const here = pathOf(steps.slice(0, steps.length - rest.length))
    const step = Array.isArray(value)
      ? itemStep(value, rest[0]!, keyOfList(here, keyed))
      : nameStep(value as Record<string, unknown>, rest, path.length === 0 ? spellings : {})
    if (!step) break
    path.push(step.segment)
    value = step.value
    rest = rest.slice(step.taken)
  }
  return { path, rest }
}

interface Stride {
  segment: string | number
  value: unknown
  taken: number
}

/** Keyed elements, also in short form, are found by key; others by index. */
function itemStep(list: unknown[], { key, isElement }: PathStep, by: string | null): Stride | null {
  const index = isElement
    ? list.findIndex((item) => item === key || (by !== null && elementKey(item, by) === key))
    : Number(key)
  return Number.isInteger(index) && index >= 0 && index < list.length
    ? { segment: index, value: list[index], taken: 1 }
    : null
}

function nameStep(
  members: Record<string, unknown>,
  rest: readonly PathStep[],
  spellings: Record<string, string[]>,
): Stride | null {
  for (let taken = 1; taken <= rest.length; taken++) {
    const name = pathOf(rest.slice(0, taken))
    if (Object.hasOwn(members, name)) return { segment: name, value: members[name], taken }
  }
  const spelled = (spellings[rest[0]!.key] ?? []).find((name) => Object.hasOwn(members, name))
  return spelled === undefined ? null : { segment: spelled, value: members[spelled], taken: 1 }
}
