// A plan as a review comment: names every deletion and counts omitted parts.
import { groupBy } from '../../platform/core/group-by.ts'
import type { Change, Plan, PlanStep } from '../../schemas/plan.ts'
import { MASK } from '../../schemas/secret.ts'
import { lineDiff, marked, shownWords, withContext, withWords } from './text-diff.ts'
import { cut, elementLine, long, visible } from './values.ts'
import { impactLine, summaryLine, who, type PlanRendering } from './plan-summary.ts'

/** Comment size limit of forges. */
const MOST = 65_536
/** Reserved for notes about omitted parts. */
const RESERVED = 1_000
const LONGEST_CELL = 300
/** Per step. */
const MOST_LINES = 200
/** Consecutive steps whose changes do not fit before the rest is skipped. */
const MOST_TRIED = 10

/**
 * Ends with a newline. Order: deletions (also those held back), diagnostics, other steps, drift, then changes as space
 * permits. States if even the names of deletions do not fit.
 */
export function markdown(plan: Plan, options: PlanRendering): string {
  const page = new Page((options.most ?? MOST) - RESERVED)
  page.add(`### ${summaryLine(plan)}`)
  addDeletions(page, plan, options)
  const impact = impactLine(plan)
  if (impact !== null) page.add(`**${cell(impact)}**`)
  addFaults(page, plan)
  const others = plan.steps.filter(({ action }) => action !== 'delete')
  page.list({
    head: '| action | resource | where | why | interrupts |\n|---|---|---|---|---|',
    rows: others.map(row),
    left: (count) => `${steps(count)} left out here.`,
  })
  addDrift(page, plan, options)
  addChanges(page, others)
  return page.text()
}

class Page {
  readonly #blocks: string[] = []
  #room: number

  constructor(room: number) {
    this.#room = room
  }

  fits(block: string): boolean {
    return block.length + 2 <= this.#room
  }

  add(block: string): void {
    this.#room -= block.length + 2
    this.#blocks.push(block)
  }

  list({ head, rows, left }: { head: string; rows: readonly string[]; left(count: number): string }): void {
    if (rows.length === 0) return
    let length = head.length + 2
    const shown = rows.filter((line) => (length += line.length + 1) <= this.#room)
    if (shown.length > 0) this.add([head, ...shown].join('\n'))
    if (shown.length < rows.length) this.addNote(left(rows.length - shown.length))
  }

  /** Space for notes is reserved. */
  addNote(sentence: string): void {
    this.#blocks.push(`_${sentence}_`)
  }

  text(): string {
    return `${this.#blocks.join('\n\n')}\n`
  }
}

const steps = (count: number) => `${count} ${count === 1 ? 'step is' : 'steps are'}`

/** Falls back to names if the rows do not fit. */
function addDeletions(page: Page, { steps: all, guard }: Plan, { command }: PlanRendering): void {
  const deleted = all.filter(({ action }) => action === 'delete')
  if (guard)
    addNames(page, {
      head: `**Held back:** ${guard.deletes} deletions of ${guard.owned} resources (${guard.max_delete} allows ${guard.allowed}); override with \`${command ?? 'svc reconcile'} --prune-override ${guard.hash}\``,
      ids: guard.resources,
    })
  if (deleted.length === 0) return
  const table = ['| action | resource | where | why | interrupts |', '|---|---|---|---|---|', ...deleted.map(row)].join(
    '\n',
  )
  if (page.fits(table)) page.add(table)
  else
    addNames(page, {
      head: `**Deletes ${deleted.length} resources:**`,
      ids: deleted.map(({ kind, name }) => `${kind}/${name}`),
    })
}

/** Falls back to counts if the names do not fit. */
function addNames(page: Page, { head, ids }: { head: string; ids: readonly string[] }): void {
  const kinds = groupBy(ids, (id) => id.slice(0, id.indexOf('/')))
  const lines = [...kinds].map(([kind, all]) => {
    const names = all.map((id) => id.slice(kind.length + 1))
    return `- ${kind} (${names.length}): ${names.join(', ')}`
  })
  const whole = [head, '', ...lines].join('\n')
  if (page.fits(whole)) return page.add(whole)
  const counts = [...kinds].map(([kind, names]) => `${names.length} ${kind}`).join(', ')
  page.add(
    `${head}\n\n**Their names do not fit in a comment** (${counts}): list them with \`svc plan … -o json\` before you merge.`,
  )
}

function row(step: PlanStep): string {
  const place =
    step.file === null ? '' : code([step.file, step.line, step.column].filter((part) => part !== null).join(':'))
  const why = step.widens ? `${step.reason}; **widens** ${step.widens.join(', ')}` : step.reason
  return `| ${step.action} | \`${step.kind}/${step.name}\` | ${place} | ${cell(why)} | ${cell(step.interrupts ?? '')} |`
}

function addFaults(page: Page, { diagnostics }: Plan): void {
  page.list({
    head: '**Diagnostics**\n',
    rows: diagnostics.map(
      (fault) =>
        `- **${fault.severity}** ${code(`${fault.file}:${fault.line}:${fault.column}`)} ${cell(fault.message)}`,
    ),
    left: (count) => `${count} more ${count === 1 ? 'diagnostic is' : 'diagnostics are'} left out here.`,
  })
}

function addDrift(page: Page, { drift }: Plan, options: PlanRendering): void {
  page.list({
    head: '**Drift**\n',
    rows: drift.map(
      (entry) =>
        `- \`${entry.kind}/${entry.name}\` ${entry.path === '' ? 'was deleted' : code(entry.path)}${cell(who(entry, options))}`,
    ),
    left: (count) => `${count} more drifted ${count === 1 ? 'field is' : 'fields are'} left out here.`,
  })
}

function addChanges(page: Page, all: readonly PlanStep[]): void {
  let [left, inVain] = [0, 0]
  for (const step of all.filter(({ changes }) => changes.length > 0)) {
    const block = inVain < MOST_TRIED ? details(step) : null
    if (block !== null && page.fits(block)) {
      page.add(block)
      inVain = 0
    } else {
      left++
      inVain++
    }
  }
  if (left > 0) page.addNote(`The changes of ${left} ${left === 1 ? 'step' : 'steps'} are left out here.`)
}

function details(step: PlanStep): string {
  const lines = step.changes.flatMap(changeLines).map(visible)
  const more = lines.length - MOST_LINES
  const shown = more > 1 ? [...lines.slice(0, MOST_LINES), `  … and ${more} more lines`] : lines
  return `<details><summary><code>${step.kind}/${step.name}</code></summary>\n\n${fence(shown)}\n\n</details>`
}

function changeLines(change: Change): string[] {
  if (change.before === MASK && change.after === MASK) return [`! ${change.path}: secret changed`]
  const element = elementLine(change)
  if (element) return [element.text]
  const diff = withContext(withWords(lineDiff(long(change.before), long(change.after))), 2)
  return [
    `@@ ${change.path} (${change.cost}) @@`,
    ...diff.map((line) => {
      if (line === null) return ' …'
      return line.words ? `! ${shownWords(line.words, 100).map(marked).join('')}` : `${line.sign} ${line.text}`
    }),
  ]
}

/** Longer than any run of backticks inside, so that no value can close the fence. */
function fence(lines: string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map((run) => run[0].length)))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}diff\n${lines.join('\n')}\n${ticks}`
}

const cell = (text: string) =>
  cut(visible(text.replace(/[\r\n]+/g, ' ')), LONGEST_CELL)
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')

/** Escapes characters that would end a table cell or code span. */
const code = (text: string) =>
  text === '' ? '' : `\`${cut(visible(text), LONGEST_CELL).replaceAll('|', '\\|').replaceAll('`', "'")}\``
