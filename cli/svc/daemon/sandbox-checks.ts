// Checks of `svc doctor`: whether sandboxes run here, and which agents run without one.
import { fromHere } from '../../command-line.ts'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import { shellWord } from '../../../platform/core/shell-word.ts'
import { isRoot, sandboxChecks } from '../../../platform/doctor/sandboxes.ts'
import { agentSandboxChecks, userChecks } from '../../../schemas/agent/team-checks.ts'
import { runtimeFile } from '../../address.ts'
import { connect } from '../../http-client.ts'
import { config } from '../../settings.ts'
import { findingOf, type Finding } from './finding.ts'

const PATIENCE_MS = 3000

/** With a daemon, for all users of its agents; they must be known to this machine. */
export async function checkSandboxes(hasDaemon: boolean): Promise<Finding[]> {
  const agents = hasDaemon ? await agentsOf() : []
  const pid = runtimeFile()?.pid
  const users = agents.flatMap(({ config: { user } }) => user ?? [])
  const checks = [
    ...(await sandboxChecks({ config: config(), users, pid })),
    ...(isRoot(pid) ? userChecks(agents) : []),
    ...agentSandboxChecks(agents, (...words) => fromHere(words.map(shellWord).join(' '))),
  ]
  return checks.map(findingOf)
}

const agentsOf = (): Promise<AgentRecord[]> =>
  connect(orchestratorOperations, { timeoutMs: PATIENCE_MS })
    .listAgents()
    .catch(() => [])
