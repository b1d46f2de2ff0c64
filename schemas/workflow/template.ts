// Prompt templates: `{{placeholder}}`, expanded once; text that comes from a task is never expanded again.
import * as Type from 'typebox'
import { TRIGGER_VARIABLES, type TriggerType } from '../trigger.ts'
import { namedObject } from '../shapes.ts'

export const STANDARD_VARIABLES = ['title', 'body', 'url', 'labels', 'assignee', 'source_id', 'metadata'] as const

/** Something about a template, at an offset into its text. */
export interface TemplateIssue {
  message: string
  offset: number
}

export interface TemplateReport {
  errors: TemplateIssue[]
  /** Unknown variables: metadata keys are open, so they only warn, and stay as written. */
  warnings: TemplateIssue[]
  /** Names used, in order of first use. */
  variables: string[]
}

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}/g

/** Checks a template; with `triggerType`, variables that neither the standard set nor it knows are warned of. */
export function checkTemplate(template: string, triggerType?: string): TemplateReport {
  const report: TemplateReport = { errors: [], warnings: [], variables: [] }
  if (template.trim() === '') report.errors.push({ message: 'the template is empty', offset: 0 })
  for (const offset of unclosed(template)) report.errors.push({ message: 'the placeholder "{{" is not closed', offset })
  const known = new Set<string>([
    ...STANDARD_VARIABLES,
    ...(Object.hasOwn(TRIGGER_VARIABLES, triggerType ?? '') ? TRIGGER_VARIABLES[triggerType as TriggerType] : []),
  ])
  const seen = new Set<string>()
  for (const match of template.matchAll(PLACEHOLDER)) {
    const name = match[1]!
    if (seen.has(name)) continue
    seen.add(name)
    report.variables.push(name)
    if (!known.has(name))
      report.warnings.push({
        message: `unknown variable "${name}": it stays as written unless the task's metadata has it`,
        offset: match.index,
      })
  }
  return report
}

/** Characters of a prompt: as many as fit into a frame to the agent, whatever letters they are. */
export const LONGEST_PROMPT = 4 * 1024 * 1024

/** Values that are cut to less than this are marked by a letter alone. */
const WORTH_A_MARK = 1000

/**
 * Replaces every known placeholder in one pass; unknown ones stay as written. Where the prompt would be longer than
 * `most`, its longest values are cut, and say so.
 */
export function renderTemplate(
  template: string,
  values: Readonly<Record<string, string>>,
  most = LONGEST_PROMPT,
): string {
  const used = [...template.matchAll(PLACEHOLDER)]
    .filter(([, name]) => Object.hasOwn(values, name!))
    .map(([, name]) => values[name!]!.length)
  const longest = fairShare(used, most - template.length)
  return template.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? cut(name, values[name]!, longest) : whole,
  )
}

/** The length to which the longest are cut, so that all together are no longer than `room`. */
function fairShare(lengths: number[], room: number): number {
  const sorted = lengths.toSorted((a, b) => a - b)
  let left = Math.max(room, 0)
  for (const [at, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - at))
    if (length > share) return share
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

function cut(name: string, value: string, longest: number): string {
  if (value.length <= longest) return value
  // Half of a letter that takes two is none.
  const kept = value.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')
  if (longest < WORTH_A_MARK) return `${kept}…`
  const left = value.length - kept.length
  return `${kept}\n[… the prompt is too long: ${left} of ${value.length} characters of ${name} are left out]`
}

function unclosed(template: string): number[] {
  const offsets: number[] = []
  let at = template.indexOf('{{')
  let end = 0
  while (at >= 0) {
    // Looked for again only when passed: else a text of many openings would be read once for each.
    if (end >= 0 && end < at + 2) end = template.indexOf('}}', at + 2)
    const next = template.indexOf('{{', at + 2)
    if (end < 0 || (next >= 0 && next < end)) offsets.push(at)
    at = next
  }
  return offsets
}

/** Body of `POST /templates/validate`. */
export const TemplateValidateInput = namedObject('TemplateValidateInput', {
  template: Type.String(),
  trigger_type: Type.Optional(Type.Enum([...Object.keys(TRIGGER_VARIABLES), 'github_issues', 'github_pull_requests'])),
})

const Located = Type.Object({ message: Type.String(), line: Type.Integer(), column: Type.Integer() })
export const TemplateValidation = namedObject('TemplateValidation', {
  valid: Type.Boolean(),
  errors: Type.Array(Located),
  warnings: Type.Array(Located),
  variables: Type.Array(Type.String()),
})
export type TemplateValidation = Type.Static<typeof TemplateValidation>

/** `checkTemplate` with lines and columns (both from 1) in place of offsets. */
export function validateTemplate(template: string, triggerType?: string): TemplateValidation {
  const report = checkTemplate(template, triggerType)
  const starts = [0, ...[...template.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const located = (issues: TemplateIssue[]) => {
    let line = 0
    return issues.map(({ message, offset }) => {
      while (line + 1 < starts.length && starts[line + 1]! <= offset) line++
      return { message, line: line + 1, column: offset - starts[line]! + 1 }
    })
  }
  return {
    valid: report.errors.length === 0,
    errors: located(report.errors),
    warnings: located(report.warnings),
    variables: report.variables,
  }
}
