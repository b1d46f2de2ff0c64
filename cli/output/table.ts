// Tables that fit the terminal.
import Table from 'cli-table3'
import { paint, paragraph, visible } from './print.ts'
import { columns } from '../settings.ts'

const GAP = 2
/** Minimum readable width of a text, and minimum recognisable width. */
const READABLE = 12
const LEAST = 6
/** Characters of an id that commands accept as its prefix. */
const PREFIX = 8
/** All border characters empty. */
const NO_BORDERS = Object.fromEntries(Object.keys(new Table().options.chars).map((name) => [name, '']))

/**
 * What a terminal without enough room shows of a column:
 * - `id`: of a UUID, a prefix that is unique in the column; other ids are whole
 * - `time`, and after all times `extra`: nothing; `-o json` has them
 * - `text`: its start
 * - `path`: its end
 *
 * All others are always whole: names, states and numbers.
 */
type ColumnKind = 'id' | 'time' | 'extra' | 'text' | 'path'

export interface Column<Row> {
  title: string
  value(row: Row): string | number | boolean | null | undefined
  kind?: ColumnKind
  colour?(row: Row): 'green' | 'yellow' | 'red' | 'dim' | undefined
}

/** Returns true if no column has to be shortened. */
export function fits<Row>(rows: readonly Row[], columnsOf: readonly Column<Row>[]): boolean {
  return over(columnsOf.map((column) => measure(column, rows).width)) <= 0
}

/** Ends in a newline; `empty` replaces a table without rows, and a paragraph per row a table that does not fit. */
export function renderTable<Row>(rows: readonly Row[], columnsOf: readonly Column<Row>[], empty: string): string {
  if (rows.length === 0) return `${empty}\n`
  const all = columnsOf.map((column) => measure(column, rows))
  const fitted = fit(all)
  if (fitted === null) return paragraphs(rows, all)
  const shown = all.flatMap((each, index) => (fitted[index] === 0 ? [] : [each]))
  const widths = fitted.filter((width) => width > 0)
  const shape = shown.map(({ column }) => column)
  const cells = rows.map((_row, at) => shown.map((each, index) => cut(each.texts[at]!, each, widths[index]!)))
  const colours = paint()
  const table = new Table({
    head: shape.map((column) => colours.bold(column.title)),
    colWidths: widths.map((width) => width + GAP),
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
  })
  for (const [at, row] of cells.entries()) {
    table.push(
      row.map((text, index) => {
        const colour = shape[index]!.colour?.(rows[at]!)
        return colour ? colours[colour](text) : text
      }),
    )
  }
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`
}

const EMPTY = '-'

function cellText(value: string | number | boolean | null | undefined): string {
  return value === null || value === undefined || value === ''
    ? EMPTY
    : visible(String(value)).replace(/\s*\n\s*/g, ' ')
}

/** Also of a task: `manual:1f3c9a2b-…`. */
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const UUID_LENGTH = 36

/** Shortens a UUID at the end of a text to `prefix` characters. */
const shortened = (text: string, prefix: number): string =>
  UUID.test(text) ? text.slice(0, text.length - UUID_LENGTH + prefix) : text

function cut(text: string, { kind, prefix }: Measured, width: number): string {
  if (text.length <= width) return text
  if (kind === 'id') return shortened(text, prefix)
  if (kind !== 'path') return text
  const end = text.slice(1 - width)
  // Starts at a folder name if possible.
  return `…${end.slice(Math.max(0, end.indexOf('/')))}`
}

interface Measured {
  title: string
  kind: ColumnKind | undefined
  width: number
  /** Length of a shortened UUID. */
  prefix: number
  /** Width of an id column with shortened ids. */
  shortest: number
}

function measure<Row>(column: Column<Row>, rows: readonly Row[]) {
  const texts = rows.map((row) => cellText(column.value(row)))
  const widest = (lengths: readonly number[]) =>
    lengths.reduce((most, length) => Math.max(most, length), column.title.length)
  const prefix = column.kind === 'id' ? prefixLength(texts) : 0
  return {
    column,
    texts,
    title: column.title,
    kind: column.kind,
    prefix,
    width: widest(texts.map(({ length }) => length)),
    shortest: widest(texts.map((text) => shortened(text, prefix).length)),
  }
}

/** Length at which different ids differ. */
function prefixLength(texts: readonly string[]): number {
  const ids = [...new Set(texts)]
  let length = PREFIX
  while (new Set(ids.map((id) => shortened(id, length))).size < ids.length) length++
  return length
}

/**
 * Column widths that fit, or null. Order: ids to their prefix, the widest texts and paths to a readable width, times and
 * then extras removed (0), each from the right, texts and paths to their minimum.
 */
function fit(all: readonly Measured[]): number[] | null {
  const removable = (['time', 'extra'] as const).flatMap((wanted) =>
    all.flatMap(({ kind }, at) => (kind === wanted ? [at] : [])).reverse(),
  )
  let widths: number[] = []
  for (let left = 0; left <= removable.length; left++) {
    const out = new Set(removable.slice(0, left))
    widths = all.map(({ width }, at) => (out.has(at) ? 0 : width))
    if (over(widths) > 0) all.forEach(({ kind, shortest }, at) => kind === 'id' && (widths[at] = shortest))
    narrow(all, widths, READABLE)
    if (over(widths) <= 0) return widths
  }
  narrow(all, widths, LEAST)
  return over(widths) <= 0 ? widths : null
}

const over = (widths: readonly number[]): number =>
  widths.reduce((total, width) => total + width, 0) + GAP * widths.filter((width) => width > 0).length - columns()

/** Shrinks the widest texts and paths until all columns fit, at most to `least` and not below their titles. */
function narrow(all: readonly Measured[], widths: number[], least: number): void {
  while (over(widths) > 0) {
    const yielding = all.map(({ kind, title }, at) =>
      (kind === 'text' || kind === 'path') && widths[at]! > Math.max(least, title.length) ? widths[at]! : 0,
    )
    const most = Math.max(...yielding)
    if (most === 0) return
    widths[yielding.indexOf(most)]!--
  }
}

/** Each row with all its values whole; empty ones are left out. */
function paragraphs<Row>(rows: readonly Row[], all: readonly ReturnType<typeof measure<Row>>[]): string {
  const colours = paint()
  const shown = rows.map((row, at) =>
    all.flatMap(({ column, texts }): [string, string][] => {
      const [text, colour] = [texts[at]!, column.colour?.(row)]
      return text === EMPTY ? [] : [[column.title.toLowerCase(), colour ? colours[colour](text) : text]]
    }),
  )
  return `${shown.map((lines) => paragraph(lines)).join('\n\n')}\n`
}
