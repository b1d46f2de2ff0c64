import { oneAtOnce } from '../platform/async/single-flight.ts'
import { machineChecks } from '../platform/doctor/machine.ts'
import { isRoot, sandboxChecks } from '../platform/doctor/sandboxes.ts'
import type { Host } from '../platform/service/define.ts'
import { shellWord } from '../platform/core/shell-word.ts'
import { agentSandboxChecks, userChecks, webhookCheck } from '../schemas/agent/team-checks.ts'
import type { Check } from '../schemas/operations/gitops/doctor.ts'
import { orchestrator } from '../services/orchestrator/service.ts'

/** Checks of `svc doctor` that run in the daemon. Callers at the same time share one run. */
export function doctorOf(host: Pick<Host, 'config' | 'find'>): () => Promise<Check[]> {
  return oneAtOnce(async () => {
    const { config } = host
    const { agents, workflows } = host.find(orchestrator)!
    const [listed, planned] = await Promise.all([agents.list(), workflows.list()])
    const { pid } = process
    const users = listed.flatMap(({ config: { user } }) => user ?? [])
    const [machine, sandboxes] = await Promise.all([
      machineChecks(config, (line) => line),
      sandboxChecks({ config, users, pid }),
    ])
    return [
      ...machine,
      webhookCheck(planned, config.openWebhooks),
      ...sandboxes,
      ...(isRoot(pid) ? userChecks(listed) : []),
      ...agentSandboxChecks(listed, (...words) => words.map(shellWord).join(' ')),
    ]
  })
}
