// Other types are stored and can be triggered manually.
import type { TriggerDefinition } from './contract.ts'
import { agentLifecycle } from './agent-lifecycle.ts'
import { cron } from './cron.ts'
import { delay } from './delay.ts'
import { dispatchResult } from './dispatch-result.ts'
import { forgeIssues } from './forge-issues.ts'
import { forgePullRequests } from './forge-pull-requests.ts'
import { manual } from './manual.ts'
import { queue } from './queue.ts'
import { webhook } from './webhook.ts'

export const triggers: readonly TriggerDefinition[] = [
  manual,
  cron,
  delay,
  agentLifecycle,
  dispatchResult,
  webhook,
  queue,
  forgeIssues,
  forgePullRequests,
]

export function findTrigger(type: string, among: readonly TriggerDefinition[]): TriggerDefinition | undefined {
  return among.find((trigger) => trigger.type === type)
}
