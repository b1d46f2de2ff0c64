// Agents that could have written a file without a person: the policy in force then let them.
import type { ChangedFile } from '../../../platform/files/desired-files.ts'
import { isHidden } from '../../../platform/files/closed-set.ts'
import { isWithin } from '../../../platform/files/within.ts'
import type { World } from '../../../platform/service/world.ts'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import { openDirectories, type Place } from '../policy/workplace.ts'
import { canWrite } from '../policy/writing-policies.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { RecordWorld } from '../record/world.ts'
import { couldNotWrite } from '../record/started-sandbox.ts'
import { placeOf } from './agent-workplace.ts'

/** Names by path, of agents that were alive when the file changed. */
export async function writersOf(
  files: readonly ChangedFile[],
  { agents, tables }: RecordWorld,
  { config }: Pick<World, 'config'>,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const agent of await agents.list()) {
    const changed = files.flatMap((file) =>
      wasAlive(agent, file)
        ? [file.path, ...(file.links ?? [])]
            .filter((place) => !couldNotWrite(agent.sandbox, place, file.changedAt))
            .map((place) => ({ path: file.path, place }))
        : [],
    )
    if (changed.length === 0) continue
    const workflows = await tables.workflows.list({ where: { agent_id: agent.id } })
    const policies = [agent.spec.tool_policy, ...workflows.map(({ tool_policy }) => tool_policy)]
    const place = placeOf(config, agent)
    const own = { ...place, additionalDirs: [...(place.additionalDirs ?? []), ...(agent.sandbox?.writable ?? [])] }
    const canChange = (path: string) =>
      agent.spec.interactive ||
      policies.some((policy) => policy.mode !== 'auto' && canWrite(policy as ToolPolicy, path, own))
    const written = changed.filter((each) => reaches(own, each.place) && canChange(each.place))
    for (const path of new Set(written.map((each) => each.path)))
      found.set(path, [...(found.get(path) ?? []), agent.name])
  }
  return found
}

/** An agent that has ended since may have written it before. */
function wasAlive({ status, created_at, updated_at }: AgentRow, { changedAt }: ChangedFile): boolean {
  if (Date.parse(created_at) > changedAt) return false
  return status === 'running' || status === 'pending' || Date.parse(updated_at) >= changedAt
}

const reaches = (place: Place, path: string): boolean =>
  openDirectories(place).some(({ real, hidden }) => isWithin(path, real) && !isHidden(path, hidden))
