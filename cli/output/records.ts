import type { AgentRecord } from '../../schemas/agent.ts'
import type { WorkflowRecord } from '../../schemas/workflow.ts'
import { paint, visible } from './print.ts'

/** `field: value` lines; nested objects are indented, empty values omitted. */
export function lines(record: object, indent = ''): string {
  return Object.entries(record)
    .filter(([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => {
      const title = `${indent}${paint().dim(`${name}:`)}`
      if (typeof value === 'object' && !Array.isArray(value))
        return Object.keys(value as object).length === 0
          ? `${title} none`
          : `${title}\n${lines(value as object, `${indent}  `)}`
      const text = visible(
        Array.isArray(value)
          ? value.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join(', ')
          : String(value),
      ).trimEnd()
      return text.includes('\n')
        ? `${title}\n${text
            .split('\n')
            .map((line) => `${indent}  ${line}`)
            .join('\n')}`
        : `${title} ${text}`
    })
    .join('\n')
}

export const agentLine = (agent: AgentRecord) =>
  `agent ${visible(agent.name)} is ${agent.status}${agent.last_error ? `: ${visible(agent.last_error)}` : ''} (${agent.id})`
export const workflowLine = (workflow: WorkflowRecord) =>
  `workflow ${visible(workflow.name)} is ${workflow.enabled ? 'enabled' : 'disabled'} (${workflow.id})`

/** Null for a trigger of another type. `base`: address of the orchestrator. */
export const webhookUrl = ({ id, trigger_config }: WorkflowRecord, base: string): string | null =>
  trigger_config.type === 'webhook' ? `${base}/webhooks/${id}` : null

export const warningLines = (warnings: readonly string[]) =>
  warnings.map((warning) => `\n${paint().yellow('warning')}: ${visible(warning)}`).join('')
