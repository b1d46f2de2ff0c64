// Tables that fit the terminal: ids, then the widest columns, give way first.
import Table from 'cli-table3'
import { paint, visible } from './print.ts'
import { columns } from '../settings.ts'

const GAP = 2
const LEAST = 6
const NO_BORDERS = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
  'middle',
]

export interface Column<Row> {
  title: string
  value(row: Row): string | number | boolean | null | undefined
  /** Characters that say enough where room is short, as of an id; the column gives way first. */
  least?: number
  /** Colour of a cell, by its row. */
  colour?(row: Row): 'green' | 'yellow' | 'red' | 'dim' | undefined
}

/** Ends in a newline; `empty` is what stands in place of a table without rows. */
export function renderTable<Row>(rows: readonly Row[], shape: readonly Column<Row>[], empty: string): string {
  if (rows.length === 0) return `${empty}\n`
  const cells = rows.map((row) => shape.map((column) => cellText(column.value(row))))
  const widths = fit(
    shape.map((column, index) => Math.max(column.title.length, ...cells.map((row) => row[index]!.length))),
    shape.map((column) => column.least),
  )
  const colours = paint()
  const table = new Table({
    head: shape.map((column) => colours.bold(column.title)),
    colWidths: widths.map((width) => width + GAP),
    chars: Object.fromEntries(NO_BORDERS.map((name) => [name, ''])),
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

/**
 * Shrinks columns with a least of their own first, then the widest, by one until all fit, none below a readable
 * least.
 */
function fit(natural: number[], least: (number | undefined)[]): number[] {
  const widths = [...natural]
  for (let over = sum(widths) + GAP * widths.length - columns(); over > 0; over--) {
    const yielding = widths.findIndex((width, index) => width > (least[index] ?? Infinity))
    const narrowed = yielding >= 0 ? yielding : widths.indexOf(Math.max(...widths))
    if (widths[narrowed]! <= LEAST) break
    widths[narrowed]!--
  }
  return widths
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
