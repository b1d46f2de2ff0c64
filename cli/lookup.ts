// Finds live things by id, by the first characters of an id, or by a name that is unique.
import { nearestHint } from '../schemas/validation/nearest.ts'
import type { AgentRecord } from '../schemas/agent.ts'
import { orchestratorOperations } from '../schemas/operations/orchestrator/index.ts'
import type { WorkflowRecord } from '../schemas/workflow.ts'
import { Failure } from './failure.ts'
import { connect, type ClientOptions } from './http-client.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const ID_START = /^[0-9a-f-]{4,35}$/i

export async function findAgent(word: string, options: ClientOptions): Promise<AgentRecord> {
  const client = connect(orchestratorOperations, options)
  if (UUID.test(word)) return client.getAgent({ params: { id: word } })
  return choose(await client.listAgents(), word, 'agent', 'agent orchestrator list-agents')
}

export async function findWorkflow(word: string, options: ClientOptions): Promise<WorkflowRecord> {
  const client = connect(orchestratorOperations, options)
  if (UUID.test(word)) return client.getWorkflow({ params: { id: word } })
  return choose(await client.listWorkflows(), word, 'workflow', 'agent orchestrator list-workflows')
}

/** A whole id needs no look: the decision itself says when there is none. */
export async function findApproval(word: string, options: ClientOptions): Promise<{ id: string }> {
  if (UUID.test(word)) return { id: word }
  const all = await connect(orchestratorOperations, options).listApprovals()
  return choose(all, word, 'approval', 'agent orchestrator list-approvals')
}

/** Names of agents by their ids. */
export async function agentNames(options: ClientOptions): Promise<Map<string, string>> {
  const agents = await connect(orchestratorOperations, options).listAgents()
  return new Map(agents.map((agent) => [agent.id, agent.name]))
}

interface Named {
  id: string
  name?: string
  status?: string
}

function choose<T extends Named>(all: readonly T[], word: string, title: string, list: string): T {
  const matches = matching(all, word)
  if (matches.length === 1) return matches[0]!
  if (matches.length > 1) {
    throw new Failure(
      `${matches.length} ${title}s answer to "${word}": ${matches.map((entry) => entry.id).join(', ')}`,
      { hint: 'name one by its id' },
    )
  }
  const names = all.flatMap((entry) => (entry.name ? [entry.name] : []))
  throw new Failure(`${title} ${word} does not exist`, {
    hint: nearestHint(word, names, `"${list}" lists what there is`),
  })
}

function matching<T extends Named>(all: readonly T[], word: string): readonly T[] {
  const named = all.filter((entry) => entry.name === word)
  if (named.length > 0) return preferLive(named)
  return ID_START.test(word) ? all.filter((entry) => entry.id.startsWith(word.toLowerCase())) : []
}

/** Records of ended agents keep their names: those that live come first. */
function preferLive<T extends Named>(entries: readonly T[]): readonly T[] {
  const live = entries.filter((entry) => entry.status !== 'stopped')
  return live.length > 0 ? live : entries
}
