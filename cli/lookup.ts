// Finds live objects by id, id prefix or unique name.
import { fromHere, typed } from './command-line.ts'
import { nearestHint } from '../schemas/validation/nearest.ts'
import type { AgentRecord } from '../schemas/agent.ts'
import type { WorkflowRecord } from '../schemas/workflow.ts'
import { Failure } from './failure.ts'
import { addressOf, DEFAULT_PORT } from './address.ts'
import { connect, type ClientOptions } from './http-client.ts'
import type { UrlOption } from './options.ts'
import type { Subject } from './verb.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const ID_START = /^[0-9a-f-]{4,35}$/i

// Loaded on demand, because it takes longer to load than most commands.
const orchestrator = async (options: ClientOptions) =>
  connect((await import('../schemas/operations/orchestrator/index.ts')).orchestratorOperations, options)

export async function findAgent(word: string, options: ClientOptions): Promise<AgentRecord> {
  const client = await orchestrator(options)
  if (UUID.test(word)) return client.getAgent({ params: { id: word } })
  return choose(await client.listAgents(), word, 'agent', typed`agent orchestrator list-agents`)
}

export async function findWorkflow(word: string, options: ClientOptions): Promise<WorkflowRecord> {
  const client = await orchestrator(options)
  if (UUID.test(word)) return client.getWorkflow({ params: { id: word } })
  return choose(await client.listWorkflows(), word, 'workflow', typed`agent orchestrator list-workflows`)
}

/**
 * A subject named by id or id prefix; `list` is the command that lists them. `all` may leave out those that do not begin
 * with `word`. A complete id is not looked up: the call itself fails if it does not exist.
 */
export const subjectById = <T extends Named>(
  title: string,
  list: string,
  all: (options: UrlOption, word: string) => Promise<readonly T[]>,
): Subject<{ id: string }> => ({
  shown: `<${title}>`,
  help: 'Id or id prefix',
  find: async (word, options) =>
    UUID.test(word) ? { id: word } : choose(await all(options, word), word, title, fromHere(list)),
})

export async function agentNames(options: ClientOptions): Promise<Map<string, string>> {
  const agents = await (await orchestrator(options)).listAgents()
  return new Map(agents.map((agent) => [agent.id, agent.name]))
}

export async function approvalsWaiting(options: ClientOptions): Promise<number> {
  return (await (await orchestrator(options)).listApprovals({ query: { status: 'pending' } })).length
}

/** Enabled workflows with an automatic trigger: failing ones first, then by next fire time. */
export async function firingTriggers(options: ClientOptions): Promise<FiringTrigger[]> {
  const workflows = await (await orchestrator(options)).listWorkflows()
  const rank = ({ last_error, next_fire_at }: FiringTrigger) => (last_error === null ? (next_fire_at ?? '~') : '')
  return workflows
    .filter(({ enabled, trigger_config }) => enabled && trigger_config.type !== 'manual')
    .map(({ name, trigger_config, next_fire_at, last_fired_at, last_error }) => ({
      workflow: name,
      type: trigger_config.type,
      next_fire_at,
      last_fired_at,
      last_error,
    }))
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** Why services refuse calls of others, as known services report it; unreachable services are left out. */
export async function refusedCalls(options: ClientOptions): Promise<string[]> {
  const [{ everyService }, { common }] = await Promise.all([
    import('../schemas/operations/services.ts'),
    import('../schemas/operations/health.ts'),
  ])
  // Another daemon may use a default port.
  const known = everyService.filter((about) => addressOf(about).from !== DEFAULT_PORT)
  const found = await Promise.all(
    known.map((about) =>
      connect(common(about), options)
        .health()
        .then((health) => health.refused_calls ?? [])
        .catch(() => []),
    ),
  )
  return found.flat()
}

export interface FiringTrigger extends Pick<WorkflowRecord, 'next_fire_at' | 'last_fired_at' | 'last_error'> {
  workflow: string
  type: string
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
    throw new Failure(`"${word}" matches ${matches.length} ${title}s: ${matches.map((entry) => entry.id).join(', ')}`, {
      hint: 'use the id',
    })
  }
  const names = all.flatMap((entry) => (entry.name ? [entry.name] : []))
  throw new Failure(`${title} ${word} does not exist`, {
    hint: nearestHint(word, names, `run "${list}" to list them`),
  })
}

function matching<T extends Named>(all: readonly T[], word: string): readonly T[] {
  const named = all.filter((entry) => entry.name === word)
  // Stopped agents keep their names.
  const live = named.filter((entry) => entry.status !== 'stopped')
  if (named.length > 0) return live.length > 0 ? live : named
  return ID_START.test(word) ? all.filter((entry) => entry.id.startsWith(word.toLowerCase())) : []
}
