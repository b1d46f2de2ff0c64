// Shows tool requests completely and unambiguously, because people decide from this text.
import wrapAnsi from 'wrap-ansi'
import { typed } from '../command-line.ts'
import type { Approval } from '../../schemas/tools/approval.ts'
import { columns } from '../settings.ts'
import { age, untilText } from './duration.ts'
import { exact, paint, visible } from './print.ts'

/** `agent` is the agent's name. Does not end in a newline. */
export function approvalText(approval: Approval, agent: string): string {
  return textOf(approval, agent, [])
}

/** Like `approvalText`, with the policy, the work and the delivery. */
export function approvalDetail(approval: Approval, agent: string): string {
  return textOf(approval, agent, factLines(approval))
}

function textOf(approval: Approval, agent: string, facts: string[]): string {
  const { id, tool_name, tool_input, created_at } = approval
  const colours = paint()
  const head = `${colours.bold(id.slice(0, 8))}  ${visible(agent)} ${asks(approval)} ${colours.bold(exact(tool_name))}`
  const decide = approval.status === 'pending' ? [decideLine(id)] : []
  const asked = `${head}  (asked ${age(created_at)} ago${ending(approval)})`
  return [asked, ...policyLines(approval), inputText(tool_input), ...facts, ...decide].join('\n')
}

/** Why the policy leaves the decision to a person; on one line, so that the call cannot forge another. */
function policyLines({ finding }: Approval): string[] {
  if (!finding) return []
  return [`  ${paint().dim('policy:')} ${onOneLine(`${finding.reason}: ${finding.part}`)}`]
}

const onOneLine = (text: string): string => exact(text.replaceAll('\n', '\\n'))

/** Each on one line, so that a name cannot forge another. */
function factLines(approval: Approval): string[] {
  const { directory, workflow, dispatch_id: dispatch, turn_id: turn, programs, effects } = approval
  const { status, delivered_at: at, last_text: said } = approval
  const delivery = status === 'pending' ? null : at === null ? 'not yet' : `${age(at)} ago`
  const facts: [title: string, text: string | null][] = [
    ['rule', ruleText(approval)],
    ['programs', programs && programs.map((name) => name ?? '(unknown)').join(', ')],
    ['reads', effects && effects.reads.join(', ')],
    ['may change', effects && effects.writes.join(', ')],
    ['directory', directory],
    [
      'work',
      dispatch ? `dispatch ${dispatch} of workflow ${workflow?.name ?? '(deleted)'}` : turn && `message ${turn}`,
    ],
    ['last text', said && said.text],
    ['delivered', delivery],
  ]
  return facts.flatMap(([title, text]) => (text ? [`  ${paint().dim(`${title}:`)} ${onOneLine(text)}`] : []))
}

function ruleText({ policy }: Approval): string | null {
  if (!policy) return null
  const { of, mode, name, field, entry, managed_by: by } = policy
  const rule = field === 'mode' ? '' : `${field}${entry === null ? '' : ` ${entry}`} of `
  return `${rule}${name ?? mode}, policy of the ${of}${by ? ` (${by.file}:${by.line})` : ''}`
}

export function decideLine(id: string): string {
  const short = id.slice(0, 8)
  return `  ${typed`agent approve ${short}`}   or   ${typed`agent deny ${short}`}`
}

const asks = ({ status }: Approval): string => (status === 'pending' ? 'wants' : `wanted (${status.replace('_', ' ')})`)

function ending({ status, expires_at, decided_by, reason }: Approval): string {
  if (status === 'pending') return `, expires ${untilText(expires_at)}`
  const by = decided_by ? `, decided by ${visible(decided_by)}` : ''
  return `${by}${reason ? `: ${visible(reason)}` : ''}`
}

/** Formats the fields of an input; bars mark the lines of a value, which it cannot forge. */
export function inputText(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return barred(valueText(input))
  const members = Object.entries(input)
  if (members.length === 0) return '  no input'
  return members.map(([name, value]) => `  ${paint().dim(`${exact(name)}:`)}\n${barred(valueText(value))}`).join('\n')
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** `|` starts a line of the text, `:` continues a wrapped one. */
function barred(text: string): string {
  return text
    .split('\n')
    .map((line) => broken(exact(line)).join('\n  : '))
    .map((line) => `  | ${line}`)
    .join('\n')
}

/** Wraps at the column, so that no space is lost. */
function broken(line: string): string[] {
  const width = Math.max(columns() - 4, 20)
  return Number.isFinite(width)
    ? wrapAnsi(line, width, { hard: true, trim: false, wordWrap: false }).split('\n')
    : [line]
}

/** Banner for pending tool requests; null if there is none. */
export function pendingApprovalsBanner(count: number): string | null {
  if (count === 0) return null
  const what = count === 1 ? '1 tool request is pending' : `${count} tool requests are pending`
  return paint().yellow(`${what}: ${typed`agent orchestrator list-approvals`}`)
}
