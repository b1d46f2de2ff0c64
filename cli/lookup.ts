// Finds live things by id, by the first characters of an id, or by a name that is unique.
import { nearestHint } from '../controller/nearest.ts'
import type { AgentRecord } from '../schemas/agent.ts'
import type { Approval } from '../schemas/approval.ts'
import type { WorkflowRecord } from '../schemas/workflow.ts'
import { Failure } from './failure.ts'
import { segment, type Client } from './http-client.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const ID_START = /^[0-9a-f-]{4,35}$/i

export const findAgent = (client: Client, word: string) =>
  find<AgentRecord>(client, '/agents', word, 'agent', 'agent orchestrator list-agents')
export const findWorkflow = (client: Client, word: string) =>
  find<WorkflowRecord>(client, '/workflows', word, 'workflow', 'agent orchestrator list-workflows')
/** A whole id needs no look: the decision itself says when there is none. */
export const approvalId = async (client: Client, word: string) =>
  UUID.test(word)
    ? word
    : (await find<Approval>(client, '/approvals', word, 'approval', 'agent orchestrator list-approvals')).id

interface Named {
  id: string
  name?: string
  status?: string
}

async function find<T extends Named>(
  client: Client,
  path: string,
  word: string,
  title: string,
  list: string,
): Promise<T> {
  if (UUID.test(word)) return client.get<T>(`${path}/${segment(word)}`)
  const all = await client.get<T[]>(path)
  const named = all.filter((entry) => entry.name === word)
  const matches =
    named.length > 0
      ? preferLive(named)
      : ID_START.test(word)
        ? all.filter((entry) => entry.id.startsWith(word.toLowerCase()))
        : []
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

/** Records of ended agents keep their names: those that live come first. */
function preferLive<T extends Named>(entries: T[]): T[] {
  const live = entries.filter((entry) => entry.status !== 'stopped')
  return live.length > 0 ? live : entries
}
