import { stripVTControlCharacters } from 'node:util'
import pc from 'picocolors'
import type { Action, Change, Plan, PlanDrift, PlanStep } from '../../schemas/plan.ts'
import { MASK } from '../../schemas/secret.ts'
import { indentedJson } from '../../schemas/validation/text.ts'
import { lineDiff, marked, shownWords, withContext, withWords, type DiffLine } from './text-diff.ts'
import { markdown } from './markdown.ts'
import { cut, elementLine, long, short, visible } from './values.ts'
import { impactLine, summaryLine, who, type PlanRendering } from './plan-summary.ts'

export type PlanFormat = 'human' | 'json' | 'markdown'

type Paint = ReturnType<typeof pc.createColors>

const SIGNS: Record<Action, { sign: string; words: string; paint: 'green' | 'yellow' | 'magenta' | 'cyan' | 'red' }> = {
  create: { sign: '+', words: 'create', paint: 'green' },
  update: { sign: '~', words: 'update in place', paint: 'yellow' },
  restart: { sign: '~', words: 'restart', paint: 'magenta' },
  replace: { sign: '±', words: 'replace', paint: 'magenta' },
  adopt: { sign: '=', words: 'adopt', paint: 'cyan' },
  delete: { sign: '-', words: 'delete', paint: 'red' },
}

/** Ends with a newline. `json` is the plan itself. */
export function renderPlan(plan: Plan, format: PlanFormat, options: PlanRendering = {}): string {
  if (format === 'json') return `${indentedJson(plan)}\n`
  return format === 'markdown' ? markdown(plan, options) : human(plan, options)
}

function human(plan: Plan, options: PlanRendering): string {
  const paint = pc.createColors(options.colour ?? false)
  const width = options.width ?? 120
  const blocks = plan.steps.map((step) => humanStep(step, paint, width))
  return [...blocks, ...findings(plan, options, paint, width), paint.bold(summaryLine(plan))].join('\n\n') + '\n'
}

/** Drift, held steps and diagnostics; empty if there are none. */
export function renderFindings(plan: Plan, options: PlanRendering = {}): string {
  return findings(plan, options, pc.createColors(options.colour ?? false), options.width ?? 120).join('\n\n')
}

function findings(plan: Plan, options: PlanRendering, paint: Paint, width: number): string[] {
  const blocks: string[] = []
  if (plan.drift.length > 0) blocks.push(humanDrift(plan.drift, options, paint, width))
  if (plan.guard) blocks.push(humanGuard(plan.guard, options, paint))
  const impact = impactLine(plan)
  if (impact !== null) blocks.push(paint.yellow(visible(impact)))
  if (plan.diagnostics.length > 0)
    blocks.push(plan.diagnostics.map((fault) => faultLines(fault, options, paint)).join('\n'))
  return blocks
}

const verbatim = (command: string): string => command

function faultLines(fault: Plan['diagnostics'][number], { typed = verbatim }: PlanRendering, paint: Paint): string {
  const place = `${fault.file}:${fault.line}:${fault.column}`
  const severity = paint[fault.severity === 'error' ? 'red' : 'yellow'](fault.severity)
  return `${severity}: ${visible(`${place}: ${fault.message}`)} ${paint.dim(`[${fault.code}]`)}\n  hint: ${visible(fault.hint.replace(/(?<=with: )svc .*$/, typed))}`
}

function humanStep(step: PlanStep, paint: Paint, width: number): string {
  const { sign, words, paint: colour } = SIGNS[step.action]
  const lines = [`${paint[colour](`${sign} ${step.kind}/${step.name}`)}  ${words}${placeOf(step, paint)}`]
  if (step.changes.length === 0 || step.action === 'adopt') lines.push(paint.dim(`    because ${step.reason}`))
  const linesOf = step.action === 'create' ? memberLines : changeLines
  for (const change of step.changes) lines.push(...linesOf(change, paint, width).map((line) => `    ${line}`))
  const cost = costOf(step)
  if (cost) lines.push(`    cost: ${cost}`)
  if (step.widens) lines.push(paint.yellow(`    widens: ${step.widens.join(', ')}`))
  if (step.interrupts)
    lines.push(
      paint.yellow(`    interrupts: ${visible(step.interrupts)}; waits until it is idle or the drain deadline passes`),
    )
  return lines.join('\n')
}

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
  const note = change.owner === 'live' ? paint.dim('  (live changed)') : ''
  if (change.before === MASK && change.after === MASK) return [`${change.path}: secret changed${note}`]
  const element = elementLine(change)
  if (element) return [`${paint[element.sign === '+' ? 'green' : 'red'](visible(cut(element.text, width - 4)))}${note}`]
  const [before, after] = [short(change.before), short(change.after)]
  const length =
    change.path.length + (before ?? '').length + (after ?? '').length + stripVTControlCharacters(note).length
  if (before !== null && after !== null && length + '    :  → '.length <= width) {
    return [`${change.path}: ${paint.red(before)} → ${paint.green(after)}${note}`]
  }
  const shown = withContext(withWords(lineDiff(long(change.before), long(change.after))), 2)
  return [`${change.path}:${note}`, ...shown.map((line) => `  ${diffLine(line, paint, width - 6)}`)]
}

/** Of a line with few changed words, only these are shown with context. */
function diffLine(line: DiffLine | null, paint: Paint, width: number): string {
  if (line === null) return paint.dim('…')
  if (line.words) {
    const words = shownWords(line.words, width)
    return `~ ${words.map(({ sign, text }) => (sign === ' ' ? visible(text) : paint[sign === '-' ? 'red' : 'green'](marked({ sign, text: visible(text) })))).join('')}`
  }
  const text = cut(`${line.sign} ${visible(line.text)}`, width)
  return line.sign === ' ' ? paint.dim(text) : paint[line.sign === '-' ? 'red' : 'green'](text)
}

function memberLines(change: Change, paint: Paint, width: number): string[] {
  const after = short(change.after)
  if (after !== null && change.path.length + after.length + 2 <= width) return [`${change.path}: ${paint.green(after)}`]
  return changeLines(change, paint, width)
}

function humanDrift(drift: readonly PlanDrift[], options: PlanRendering, paint: Paint, width: number): string {
  const lines = drift.map((entry) => {
    const by = who(entry, options)
    const line = `  ${entry.kind}/${entry.name}  ${driftLine(entry, paint, width)}`
    return stripVTControlCharacters(line + by).length > width ? `${line}\n      ${by.trimStart()}` : line + by
  })
  const first = drift[0]!
  return [
    paint.yellow('Drift: changed on the live system, but not in a manifest'),
    ...lines,
    `  hint: ${(options.typed ?? verbatim)(`svc drift revert ${first.kind}/${first.name}`)}`,
  ].join('\n')
}

function driftLine({ kind, name, path, desired, live }: PlanDrift, paint: Paint, width: number): string {
  if (path === '') return 'was deleted'
  const element = elementLine({ path, before: desired, after: live })
  if (element) return paint.red(visible(cut(`${element.text} live`, width - 4)))
  const [wanted, is] = [onOneLine(desired), onOneLine(live)]
  if (`  ${kind}/${name}  ${path}: ${wanted} desired, ${is} live`.length <= width)
    return `${path}: ${paint.green(wanted)} desired, ${paint.red(is)} live`
  const room = width - '      desired  '.length
  return `${path}\n      desired  ${paint.green(cut(wanted, room))}\n      live     ${paint.red(cut(is, room))}`
}

const onOneLine = (value: unknown): string => visible(JSON.stringify(value ?? null))

function humanGuard(guard: NonNullable<Plan['guard']>, options: PlanRendering, paint: Paint): string {
  return [
    paint.red(
      `Held back: ${guard.deletes} deletions of ${guard.owned} resources (${guard.max_delete} allows ${guard.allowed})`,
    ),
    ...guard.resources.map((resource) => `  - ${resource}`),
    `  hint: to delete them anyway: ${options.command ?? 'svc reconcile'} --prune-override ${guard.hash}`,
  ].join('\n')
}
