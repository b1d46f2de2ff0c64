// Checks of `svc doctor` and `GET /doctor`: agents and workflows of a daemon.
import type { AgentRecord } from '../agent.ts'
import { bad, ok, type Check } from '../operations/gitops/doctor.ts'
import { isOpenWebhook } from '../trigger.ts'
import type { WorkflowRecord } from '../workflow.ts'

export const WEBHOOKS = {
  id: 'webhooks',
  title: 'webhooks',
  expected: 'a secret for each workflow that accepts deliveries',
}

/** `accepted`: whether the daemon accepts deliveries without a secret. */
export function webhookCheck(
  workflows: readonly Pick<WorkflowRecord, 'name' | 'enabled' | 'trigger_config'>[],
  accepted: boolean,
): Check {
  const open = workflows.flatMap(({ name, enabled, trigger_config }) =>
    enabled && isOpenWebhook(trigger_config) ? [name] : [],
  )
  if (open.length === 0) return ok(WEBHOOKS, 'every one has a secret')
  const effect = accepted ? 'every caller can create tasks' : 'deliveries are refused'
  const setting = accepted ? 'SVC_OPEN_WEBHOOKS=off to refuse' : 'SVC_OPEN_WEBHOOKS=on to accept'
  const seen = `${effect}, because these workflows have no webhook secret: ${open.join(', ')}`
  return bad(WEBHOOKS, 'warning', seen, `set secret in their triggers, or ${setting} unsigned deliveries`)
}

/** Of a daemon that runs as root; empty if no agent does. */
export function userChecks(agents: readonly AgentRecord[]): Check[] {
  const roots = agents.filter(({ status, config: { user } }) => status === 'running' && user === null)
  if (roots.length === 0) return []
  const about = { id: 'agent-users', title: 'OS user of agents', expected: 'a user other than root' }
  const seen = `the daemon runs as root, and so do ${roots.map(({ name }) => name).join(', ')}`
  const next = 'write user: in their manifests, or run the daemon as an ordinary user'
  return [bad(about, 'warning', seen, next)]
}

/**
 * Of each agent that runs without a sandbox, or whose sandbox did not start. `command` formats the words of a command
 * line so that the reader can run it.
 */
export function agentSandboxChecks(agents: readonly AgentRecord[], command: (...words: string[]) => string): Check[] {
  return agents.flatMap(({ name, status, sandbox }): Check[] => {
    if (sandbox === null || sandbox.state === 'on' || (status !== 'running' && sandbox.state !== 'failed')) return []
    const about = { id: `sandbox/${name}`, title: `sandbox of ${name}`, expected: 'on, or off in its manifest' }
    const reason = sandbox.reason ?? 'reason unknown'
    if (sandbox.code === 'sandbox-off') return [ok(about, `off: ${reason}`)]
    const restart = command('agent', 'orchestrator', 'restart-agent', name)
    const seen = sandbox.state === 'failed' ? `not started: ${reason}` : `none: ${reason}`
    return [bad(about, 'warning', seen, `repair the cause, then run "${restart}"`)]
  })
}
