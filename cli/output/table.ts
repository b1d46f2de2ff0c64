// Tables that fit the terminal: ids are shortened first, then wide columns, then times; names last.
import Table from 'cli-table3'
import { paint, visible } from './print.ts'
import { columns } from '../settings.ts'

const GAP = 2
/** Minimum readable width of a cell, and minimum recognisable width. */
const READABLE = 12
const LEAST = 6
/** All border characters empty. */
const NO_BORDERS = Object.fromEntries(Object.keys(new Table().options.chars).map((name) => [name, '']))

export interface Column<Row> {
  title: string
  value(row: Row): string | number | boolean | null | undefined
  /** Minimum characters of a shortened id. */
  least?: number
  /** End to keep when cut; default the start. */
  keep?: 'start' | 'end'
  colour?(row: Row): 'green' | 'yellow' | 'red' | 'dim' | undefined
}

/** Returns true if no column has to be shortened. */
export function fits<Row>(rows: readonly Row[], columnsOf: readonly Column<Row>[]): boolean {
  return over(columnsOf.map((column) => measure(column, rows).width)) <= 0
}

/** Ends in a newline; `empty` replaces a table without rows. */
export function renderTable<Row>(rows: readonly Row[], columnsOf: readonly Column<Row>[], empty: string): string {
  if (rows.length === 0) return `${empty}\n`
  const all = columnsOf.map((column) => measure(column, rows))
  const fitted = fit(all.map(({ column: { title, least }, width }) => ({ title, least, width })))
  const shown = all.flatMap((each, index) => (fitted[index] === 0 ? [] : [each]))
  const widths = fitted.filter((width) => width > 0)
  const shape = shown.map(({ column }) => column)
  const cells = rows.map((_row, at) => shown.map(({ column, texts }, index) => cut(texts[at]!, column, widths[index]!)))
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

function cellText(value: string | number | boolean | null | undefined): string {
  return value === null || value === undefined || value === '' ? '-' : visible(String(value)).replace(/\s*\n\s*/g, ' ')
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Ids keep their typeable prefix, paths their end. */
function cut<Row>(text: string, { least, keep }: Column<Row>, width: number): string {
  if (text.length <= width) return text
  if (least !== undefined && UUID.test(text)) return text.slice(0, width)
  if (keep !== 'end') return text
  const end = text.slice(1 - width)
  // Starts at a folder name if possible.
  return `…${end.slice(Math.max(0, end.indexOf('/')))}`
}

interface Measured extends Pick<Column<never>, 'title' | 'least'> {
  width: number
}

const NAMES = new Set('NAME AGENT RESOURCE SOURCE SERVICE WORKFLOW SESSION QUEUE FIELD MEMBER'.split(' '))
const TIMES = new Set('AGE AGO SEEN SINCE READ UP CREATED'.split(' '))

const isName = ({ title }: Measured): boolean => NAMES.has(title)
const isTime = ({ title }: Measured): boolean => TIMES.has(title)

function measure<Row>(column: Column<Row>, rows: readonly Row[]) {
  const texts = rows.map((row) => cellText(column.value(row)))
  return { column, texts, width: texts.reduce((most, text) => Math.max(most, text.length), column.title.length) }
}

/**
 * Column widths that fit. Order: ids to their prefix, widest columns to a readable minimum, times removed (0), the rest
 * to the minimum, names last.
 */
function fit(all: readonly Measured[]): number[] {
  const times = [...all.entries()].flatMap(([at, column]) => (isTime(column) ? [at] : [])).reverse()
  let widths: number[] = []
  for (let left = 0; left <= times.length; left++) {
    const out = new Set(times.slice(0, left))
    widths = all.map(({ width }, at) => (out.has(at) ? 0 : width))
    if (over(widths) > 0) all.forEach(({ least }, at) => (widths[at] = Math.min(widths[at]!, least ?? Infinity)))
    narrow(all, widths, (column) => (isName(column) || isTime(column) ? undefined : READABLE))
    if (over(widths) <= 0) return widths
  }
  narrow(all, widths, (column) => (isName(column) ? undefined : LEAST))
  narrow(all, widths, () => LEAST)
  return widths
}

const over = (widths: readonly number[]): number =>
  widths.reduce((total, width) => total + width, 0) + GAP * widths.filter((width) => width > 0).length - columns()

/** Shrinks the widest columns until all fit; columns without a minimum are kept. */
function narrow(all: readonly Measured[], widths: number[], leastOf: (column: Measured) => number | undefined): void {
  while (over(widths) > 0) {
    const yielding = all.map((column, at) => (widths[at]! > (leastOf(column) ?? Infinity) ? widths[at]! : 0))
    const most = Math.max(...yielding)
    if (most === 0) return
    widths[yielding.indexOf(most)]!--
  }
}
