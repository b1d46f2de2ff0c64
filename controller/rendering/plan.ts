// A plan in words: for a terminal, for a program, for a review comment. Pure.
import { stripVTControlCharacters } from 'node:util'
import pc from 'picocolors'
import type { Action, Change, Plan, PlanDrift, PlanStep } from '../../schemas/plan.ts'
import type { Drift } from '../../schemas/resource.ts'
import { stepsOf } from '../../schemas/members/member-path.ts'
import { MASK } from '../../schemas/secret.ts'
import { lineDiff, withContext } from './line-diff.ts'

export type PlanFormat = 'human' | 'json' | 'markdown'

export interface PlanRendering {
  colour?: boolean
  /** Columns of the terminal; longer values are cut. Default 120. */
  width?: number
  /** Drift on record, which knows who moved what; the plan knows only that it moved. */
  drift?: readonly Drift[]
  /** The command that would pass the prune guard, without its hash. Default `svc reconcile`. */
  command?: string
}

type Paint = ReturnType<typeof pc.createColors>

const SIGNS: Record<Action, { sign: string; words: string; paint: 'green' | 'yellow' | 'magenta' | 'cyan' | 'red' }> = {
  create: { sign: '+', words: 'create', paint: 'green' },
  update: { sign: '~', words: 'update in place', paint: 'yellow' },
  restart: { sign: '~', words: 'restart', paint: 'magenta' },
  replace: { sign: '±', words: 'replace', paint: 'magenta' },
  adopt: { sign: '=', words: 'adopt', paint: 'cyan' },
  delete: { sign: '-', words: 'delete', paint: 'red' },
}

/** Ends in a newline. `json` is the plan itself. */
export function renderPlan(plan: Plan, format: PlanFormat, options: PlanRendering = {}): string {
  if (format === 'json') return `${JSON.stringify(plan, null, 2)}\n`
  return format === 'markdown' ? markdown(plan, options) : human(plan, options)
}

/** `Plan: 1 to create, 2 to restart; 4 unchanged.` or `No changes. …` */
export function summaryLine(plan: Pick<Plan, 'summary' | 'drift' | 'diagnostics'>): string {
  const { unchanged, ...actions } = plan.summary
  const parts = Object.entries(actions).filter(([, count]) => count > 0)
  const errors = plan.diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length
  const faulty =
    errors > 0
      ? ` ${errors} ${errors === 1 ? 'fault keeps its manifest' : 'faults keep their manifests'} out of the plan.`
      : ''
  if (parts.length > 0)
    return `Plan: ${parts.map(([action, count]) => `${count} to ${action}`).join(', ')}; ${unchanged} unchanged.${faulty}`
  const drift = plan.drift.length
  return `No changes. ${resources(unchanged)} as desired${drift > 0 ? `, apart from ${drift} drifted ${drift === 1 ? 'member' : 'members'}` : ''}.${faulty}`
}

const resources = (count: number) => `${count} ${count === 1 ? 'resource is' : 'resources are'}`

function human(plan: Plan, options: PlanRendering): string {
  const paint = pc.createColors(options.colour ?? false)
  const width = options.width ?? 120
  const blocks = plan.steps.map((step) => humanStep(step, paint, width))
  return [...blocks, ...findings(plan, options, paint, width), paint.bold(summaryLine(plan))].join('\n\n') + '\n'
}

/**
 * What there is to tell beside the steps, for people: drift, what was held back, faults. Empty when there is
 * nothing.
 */
export function renderFindings(plan: Plan, options: PlanRendering = {}): string {
  return findings(plan, options, pc.createColors(options.colour ?? false), options.width ?? 120).join('\n\n')
}

function findings(plan: Plan, options: PlanRendering, paint: Paint, width: number): string[] {
  const blocks: string[] = []
  if (plan.drift.length > 0) blocks.push(humanDrift(plan.drift, options, paint, width))
  if (plan.guard) blocks.push(humanGuard(plan.guard, options, paint))
  if (plan.diagnostics.length > 0) blocks.push(plan.diagnostics.map((fault) => faultLines(fault, paint)).join('\n'))
  return blocks
}

function faultLines(fault: Plan['diagnostics'][number], paint: Paint): string {
  const place = `${fault.file}:${fault.line}:${fault.column}`
  const severity = paint[fault.severity === 'error' ? 'red' : 'yellow'](fault.severity)
  return `${severity}: ${visible(`${place}: ${fault.message}`)} ${paint.dim(`[${fault.code}]`)}\n  hint: ${visible(fault.hint)}`
}

function humanStep(step: PlanStep, paint: Paint, width: number): string {
  const { sign, words, paint: colour } = SIGNS[step.action]
  const lines = [`${paint[colour](`${sign} ${step.kind}/${step.name}`)}  ${words}${placeOf(step, paint)}`]
  if (step.changes.length === 0 || step.action === 'adopt') lines.push(paint.dim(`    because ${step.reason}`))
  const linesOf = step.action === 'create' ? memberLines : changeLines
  for (const change of step.changes) lines.push(...linesOf(change, paint, width).map((line) => `    ${line}`))
  const cost = costOf(step)
  if (cost) lines.push(`    cost: ${cost}`)
  if (step.interrupts)
    lines.push(
      paint.yellow(`    interrupts: ${visible(step.interrupts)}; waits until it is idle or the drain deadline passes`),
    )
  return lines.join('\n')
}

/** What the step costs, with the members that cost it; an update in place goes without saying. */
function costOf(step: PlanStep): string | null {
  const costly = step.changes.filter((change) => change.cost !== 'in-place')
  if (costly.length === 0) return step.action === 'update' ? 'none, in place' : null
  return `${step.action === 'replace' ? 'replace' : 'restart'}, for ${costly.map((change) => change.path).join(', ')}`
}

function placeOf(step: PlanStep, paint: Paint): string {
  if (step.file === null) return ''
  const place = [step.file, step.line, step.column].filter((part) => part !== null).join(':')
  return `   ${paint.dim(visible(place))}`
}

function changeLines(change: Change, paint: Paint, width: number): string[] {
  const note = change.owner === 'live' ? paint.dim('  (live moved)') : ''
  if (change.before === MASK && change.after === MASK) return [`${change.path}: secret changed${note}`]
  const element = elementLine(change)
  if (element) return [`${paint[element.sign === '+' ? 'green' : 'red'](visible(cut(element.text, width - 4)))}${note}`]
  const [before, after] = [short(change.before), short(change.after)]
  const length =
    change.path.length + (before ?? '').length + (after ?? '').length + stripVTControlCharacters(note).length
  if (before !== null && after !== null && length + '    :  → '.length <= width) {
    return [`${change.path}: ${paint.red(before)} → ${paint.green(after)}${note}`]
  }
  const shown = withContext(lineDiff(long(change.before), long(change.after)), 2)
  const painted = shown.map((line) => {
    if (line === null) return paint.dim('  …')
    const text = cut(`${line.sign} ${visible(line.text)}`, width - 6)
    return line.sign === ' ' ? paint.dim(`  ${text}`) : `  ${paint[line.sign === '-' ? 'red' : 'green'](text)}`
  })
  return [`${change.path}:${note}`, ...painted]
}

/** An element of a keyed list that comes or goes; null for any other change. */
function elementLine({ path, before, after }: Pick<Change, 'path' | 'before' | 'after'>): ElementLine | null {
  const last = stepsOf(path).at(-1)
  if (!last?.isElement || (before === null) === (after === null)) return null
  const value = after ?? before
  const sign = before === null ? '+' : '-'
  return { sign, text: `${sign} ${path}${value === last.key ? '' : `: ${JSON.stringify(value)}`}` }
}

interface ElementLine {
  sign: '+' | '-'
  text: string
}

/** A member of what is created: it has a value where there was nothing. */
function memberLines(change: Change, paint: Paint, width: number): string[] {
  const after = short(change.after)
  if (after !== null && change.path.length + after.length + 2 <= width) return [`${change.path}: ${paint.green(after)}`]
  return changeLines(change, paint, width)
}

/** A value on one line, or null when it has several. */
function short(value: unknown): string | null {
  if (typeof value === 'string' && value.trimEnd().includes('\n')) return null
  return visible(value === undefined ? 'null' : JSON.stringify(value))
}

/** A value as lines: the text itself, the entries of a list, else JSON. */
function long(value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (typeof value === 'string') return value.replace(/\n$/, '').split('\n')
  if (Array.isArray(value))
    return value.map((entry) => `- ${typeof entry === 'string' ? entry : JSON.stringify(entry)}`)
  return JSON.stringify(value, null, 2).split('\n')
}

function humanDrift(drift: readonly PlanDrift[], options: PlanRendering, paint: Paint, width: number): string {
  /** For each of the two values, on the line they stand in. */
  const room = ({ kind, name, path }: PlanDrift) =>
    Math.max((width - `  ${kind}/${name}  ${path}:  desired,  live`.length) / 2, 12)
  const lines = drift.map((entry) => {
    const element = elementLine({ path: entry.path, before: entry.desired, after: entry.live })
    const what =
      entry.path === ''
        ? 'is gone'
        : element
          ? paint.red(visible(cut(`${element.text} live`, width - 4)))
          : `${entry.path}: ${paint.green(cut(short(entry.desired) ?? '…', room(entry)))} desired, ${paint.red(cut(short(entry.live) ?? '…', room(entry)))} live`
    const by = who(entry, options.drift)
    const line = `  ${entry.kind}/${entry.name}  ${what}`
    return stripVTControlCharacters(line + by).length > width ? `${line}\n      ${by.trimStart()}` : line + by
  })
  const first = drift[0]!
  return [
    paint.yellow('Drift: changed on the live system, and no manifest says so'),
    ...lines,
    `  hint: svc drift revert ${first.kind}/${first.name}`,
  ].join('\n')
}

function who(entry: PlanDrift, records: readonly Drift[] = []): string {
  const record = records.find(
    (other) =>
      other.resolution === null && other.kind === entry.kind && other.name === entry.name && other.path === entry.path,
  )
  if (!record?.actor) return ''
  return visible(`  by ${record.actor}${record.endpoint ? ` with ${record.endpoint}` : ''} at ${record.first_seen}`)
}

function humanGuard(guard: NonNullable<Plan['guard']>, options: PlanRendering, paint: Paint): string {
  return [
    paint.red(
      `Held back: ${guard.deletes} deletions of ${guard.owned} resources, where ${guard.max_delete} allows ${guard.allowed}`,
    ),
    ...guard.resources.map((resource) => `  - ${resource}`),
    `  hint: to delete them all the same: ${options.command ?? 'svc reconcile'} --prune-override ${guard.hash}`,
  ].join('\n')
}

function markdown(plan: Plan, options: PlanRendering): string {
  const blocks = [`### ${summaryLine(plan)}`]
  if (plan.steps.length > 0) {
    const rows = plan.steps.map(
      (step) =>
        `| ${step.action} | \`${step.kind}/${step.name}\` | ${step.file === null ? '' : `\`${[step.file, step.line, step.column].join(':')}\``} | ${cell(step.interrupts ?? step.reason)} |`,
    )
    blocks.push(['| action | resource | where | why, or what it interrupts |', '|---|---|---|---|', ...rows].join('\n'))
  }
  for (const step of plan.steps.filter((each) => each.changes.length > 0)) {
    const lines = step.changes.flatMap((change) => markdownChange(change))
    blocks.push(`<details><summary><code>${step.kind}/${step.name}</code></summary>\n\n${fence(lines)}\n\n</details>`)
  }
  if (plan.drift.length > 0)
    blocks.push(
      [
        '**Drift**',
        '',
        ...plan.drift.map(
          (entry) =>
            `- \`${entry.kind}/${entry.name}\` ${entry.path === '' ? 'is gone' : `\`${entry.path}\``}${cell(who(entry, options.drift))}`,
        ),
      ].join('\n'),
    )
  if (plan.guard)
    blocks.push(
      `**Held back:** ${plan.guard.deletes} deletions of ${plan.guard.owned} resources (${plan.guard.max_delete} allows ${plan.guard.allowed}); override with \`--prune-override ${plan.guard.hash}\``,
    )
  if (plan.diagnostics.length > 0)
    blocks.push(
      plan.diagnostics
        .map(
          (fault) => `- **${fault.severity}** \`${fault.file}:${fault.line}:${fault.column}\` ${cell(fault.message)}`,
        )
        .join('\n'),
    )
  return blocks.join('\n\n') + '\n'
}

function markdownChange(change: Change): string[] {
  if (change.before === MASK && change.after === MASK) return [`! ${change.path}: secret changed`]
  const element = elementLine(change)
  if (element) return [element.text]
  const diff = withContext(lineDiff(long(change.before), long(change.after)), 2)
  return [
    `@@ ${change.path} (${change.cost}) @@`,
    ...diff.map((line) => (line === null ? ' …' : `${line.sign} ${line.text}`)),
  ]
}

/** A fence longer than any run of backticks inside, so that no value can end it. */
function fence(lines: string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map((run) => run[0].length)))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}diff\n${lines.join('\n')}\n${ticks}`
}

const cell = (text: string) =>
  text
    .replace(/[\r\n]+/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')

const cut = (text: string, width: number) =>
  text.length > width ? `${text.slice(0, Math.max(1, Math.floor(width) - 1))}…` : text

/** Control characters of a value must not drive the reader's terminal. */
function visible(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
