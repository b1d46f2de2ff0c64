// Placeholders are expanded once; text from tasks is never expanded again.
import * as Type from 'typebox'
import { TRIGGER_VARIABLES, type TriggerType } from '../trigger.ts'
import { namedObject } from '../shapes.ts'
import { payloadPathOf } from './payload-paths.ts'

export const STANDARD_VARIABLES = ['title', 'body', 'url', 'labels', 'assignee', 'source_id', 'metadata'] as const

/** `offset` is a position in the text. */
export interface TemplateIssue {
  message: string
  offset: number
}

export interface TemplateReport {
  errors: TemplateIssue[]
  /** Unknown variables only warn, because metadata keys are open. */
  warnings: TemplateIssue[]
  /** Used names in order of first use. */
  variables: string[]
}

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}/g

/** Names of the placeholders, each once. */
export const variablesIn = (template: string): string[] => [
  ...new Set([...template.matchAll(PLACEHOLDER)].map(([, name]) => name!)),
]

/** With `triggerType`, warns about unknown variables. */
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
    if (!known.has(name) && !(triggerType === 'webhook' && payloadPathOf(name) !== null))
      report.warnings.push({
        message: `unknown variable "${name}": left unchanged unless the task's metadata defines it`,
        offset: match.index,
      })
  }
  return report
}

/** Maximum characters of a prompt, so that it fits into a frame in any script. */
export const LONGEST_PROMPT = 4 * 1024 * 1024

/** Values cut below this length get only an ellipsis. */
const WORTH_A_MARK = 1000

/** Expands known placeholders in one pass. If the result would exceed `most`, cuts and marks the longest values. */
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

/** Length to cut to, so that the total fits into `room`. */
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
  // Drops half of a surrogate pair.
  const kept = value.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')
  if (longest < WORTH_A_MARK) return `${kept}…`
  const left = value.length - kept.length
  return `${kept}\n[… the prompt is too long: ${left} of ${value.length} characters of ${name} are omitted]`
}

function unclosed(template: string): number[] {
  const offsets: number[] = []
  let at = template.indexOf('{{')
  let end = 0
  while (at >= 0) {
    // Search only past the last `}}`: otherwise many openings take quadratic time.
    if (end >= 0 && end < at + 2) end = template.indexOf('}}', at + 2)
    const next = template.indexOf('{{', at + 2)
    if (end < 0 || (next >= 0 && next < end)) offsets.push(at)
    at = next
  }
  return offsets
}

export const TemplateValidateInput = namedObject('TemplateValidateInput', {
  template: Type.String(),
  trigger_type: Type.Optional(Type.Enum([...Object.keys(TRIGGER_VARIABLES), 'github_issues', 'github_pull_requests'])),
})

export const PromptPreviewInput = namedObject('PromptPreviewInput', {
  template: Type.Optional(Type.String({ description: 'Default: the template of the workflow' })),
  dispatch_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Dispatch with the task; default: the latest one' }),
  ),
})
export type PromptPreviewInput = Type.Static<typeof PromptPreviewInput>

export const PromptPreview = namedObject('PromptPreview', { dispatch_id: Type.String(), prompt: Type.String() })
export type PromptPreview = Type.Static<typeof PromptPreview>

const Located = Type.Object({ message: Type.String(), line: Type.Integer(), column: Type.Integer() })
export const TemplateValidation = namedObject('TemplateValidation', {
  valid: Type.Boolean(),
  errors: Type.Array(Located),
  warnings: Type.Array(Located),
  variables: Type.Array(Type.String()),
})
export type TemplateValidation = Type.Static<typeof TemplateValidation>

/** With lines and columns (from 1) instead of offsets. */
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
