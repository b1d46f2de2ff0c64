import type { WorkflowRecord } from '../../../schemas/workflow/record.ts'
import { valueText } from '../../parts/text/value-text.ts'

/** Fields of any trigger type. */
export type AnyTrigger = Readonly<Record<string, unknown>> & { type: string }

/** The trigger, with the fields of its type. */
export const triggerOf = ({ trigger_config }: Pick<WorkflowRecord, 'trigger_config'>): AnyTrigger => trigger_config

const NAMES: Readonly<Record<string, string>> = {
  catch_up: 'missed',
  delay_secs: 'delay',
  expression: 'cron',
  poll_interval_secs: 'polls',
  run_at: 'at',
  timezone: 'zone',
  visibility_timeout_secs: 'result',
}

const MISSED: Readonly<Record<string, string>> = {
  none: 'firings that were missed do not run',
  last: 'the latest missed firing runs late',
}

const TEXTS: Readonly<Record<string, (value: unknown) => string>> = {
  again: (value) => (value ? 'accepts an issue again when it returns' : 'accepts each issue once'),
  catch_up: (value) => MISSED[String(value)] ?? valueText(value),
  delay_secs: (value) => `${valueText(value)} s`,
  poll_interval_secs: (value) => `every ${valueText(value)} s`,
  secret: () => 'set',
  visibility_timeout_secs: (value) => `within ${valueText(value)} s`,
}

/** Fields that the screen shows as links. */
const LINKED: ReadonlySet<string> = new Set(['queue_name', 'source_workflow_id', 'status'])

/** Fields of a trigger in words: name and text. */
export function triggerFacts(
  workflow: Pick<WorkflowRecord, 'trigger_config' | 'poll_interval_secs'>,
): [name: string, text: string][] {
  const { type, ...fields } = triggerOf(workflow)
  const facts = Object.entries(fields)
    .filter(([name, value]) => !LINKED.has(name) && value !== null)
    .map(([name, value]): [string, string] => [
      NAMES[name] ?? name.replaceAll('_', ' '),
      TEXTS[name]?.(value) ?? valueText(value),
    ])
  const polls = type.startsWith('forge_')
    ? [['polls', `every ${workflow.poll_interval_secs} s`] as [string, string]]
    : []
  const open =
    type === 'webhook' && (fields['secret'] ?? null) === null ? [['secret', 'not set'] as [string, string]] : []
  return [...facts, ...open, ...polls]
}
