import type { AgentRecord } from '../../schemas/agent/record.ts'
import type { InboxItem, InboxReply } from '../../schemas/gateway/inbox.ts'
import type { Slice } from '../../schemas/operations/page.ts'
import type { Drift, Resource } from '../../schemas/resource.ts'
import type { Run, RunStep } from '../../schemas/run.ts'
import type { WorkflowRecord } from '../../schemas/workflow/record.ts'
import type { Clients } from '../client/clients.ts'
import type { Patch, TopicDefinition } from './live-store.ts'
import type { TopicCache } from './topic-cache.ts'

const PAGE = 200

interface Request {
  query: { after: string; limit: number }
  signal: AbortSignal
}

/** Reads a list by cursor. `most`: pages, for a history of which only the newest part is shown. */
async function* pages<Item>(
  list: (request: Request) => Promise<Slice<Item>>,
  idOf: (item: Item) => string,
  { signal, most = Infinity }: { signal: AbortSignal; most?: number },
) {
  let after: string | null = ''
  for (let read = 0; after !== null && read < most; read += 1) {
    const slice: Slice<Item> = await list({ query: { after, limit: PAGE }, signal })
    yield slice.items.map((item) => [idOf(item), item] as const)
    after = slice.next
  }
}

export const inboxTopic = ({ gateway }: Clients): TopicDefinition<InboxItem> => ({
  name: 'inbox',
  read: (signal, report) =>
    pages(
      async (request) => {
        const reply = await gateway.showInbox(request)
        // Each page names all gaps.
        if (request.query.after === '') report(reply.missing)
        return reply
      },
      ({ id }) => id,
      { signal },
    ),
  adapt: inboxChanges,
  isKept: ({ kind }, gaps) => gaps.some((gap) => gap.kind === kind),
})

/** Pages of drift and of runs that the page keeps. */
const MOST_HISTORY = 5

export const stateTopic = ({ controller }: Clients): TopicDefinition<Resource> => ({
  name: 'state',
  read: (signal) => pages(controller.listResources, ({ id }) => id, { signal }),
})

export const driftTopic = ({ controller }: Clients): TopicDefinition<Drift> => ({
  name: 'drift',
  read: (signal) => pages(controller.listDrift, ({ id }) => id, { signal, most: MOST_HISTORY }),
  adapt: (items, { values }) =>
    withoutOldest(items, values, ({ last_seen, resolution }) => resolution !== null && last_seen),
})

export const agentsTopic = ({ orchestrator }: Clients): TopicDefinition<AgentRecord> => ({
  name: 'agents',
  read: (signal) => pages(orchestrator.listAgents, ({ id }) => id, { signal }),
})

export const workflowsTopic = ({ orchestrator }: Clients): TopicDefinition<WorkflowRecord> => ({
  name: 'workflows',
  read: (signal) => pages(orchestrator.listWorkflows, ({ id }) => id, { signal }),
})

export const runsTopic = ({ controller }: Clients): TopicDefinition<Run> => ({
  name: 'runs',
  read: (signal) => pages(controller.listRuns, ({ id }) => id, { signal, most: MOST_HISTORY }),
  adapt: (items, known) =>
    withoutOldest(
      runChanges(items, known),
      known.values,
      ({ status, started_at }) => status !== 'running' && started_at,
    ),
})

/**
 * Changes of a history, and the removal of its oldest records once it is a page longer than what is read at first: a
 * page of the browser stays open for days. `ended`: time of a record that may go, false for one that stays.
 */
export function withoutOldest<Item extends { id: string }>(
  items: readonly Patch[],
  values: readonly Item[],
  ended: (item: Item) => string | false,
): readonly Patch[] {
  const excess = values.length - PAGE * MOST_HISTORY
  if (excess < PAGE) return items
  const changed = new Set(items.map(({ id }) => id))
  const times = values.flatMap((item) => {
    const time = !changed.has(item.id) && ended(item)
    return time === false ? [] : [{ id: item.id, time }]
  })
  const oldest = times.sort((a, b) => (a.time < b.time ? -1 : 1)).slice(0, excess)
  return [...oldest.map(({ id }) => ({ id, item: null })), ...items]
}

type Group = Pick<InboxReply, 'items' | 'missing'> | null

/** Items arrive by group, and replace all items of that group. A group that could not be read whole removes none. */
export function inboxChanges(groups: readonly Patch[], { values }: Pick<TopicCache<InboxItem>, 'values'>): Patch[] {
  const last = new Map(groups.map(({ id, item }) => [id, item as Group]))
  const present = [...last.values()].flatMap((group) => group?.items ?? [])
  const ids = new Set(present.map(({ id }) => id))
  const isWhole = (group: string) => last.has(group) && (last.get(group)?.missing ?? []).length === 0
  const left = values.filter(({ id, group }) => isWhole(group) && !ids.has(id)).map(({ id }) => id)
  // The id of most groups is that of their only item, which a read in progress may still contain.
  const gone = new Set([...left, ...[...last.keys()].filter((group) => isWhole(group) && !ids.has(group))])
  return [...[...gone].map((id) => ({ id, item: null })), ...present.map((item) => ({ id: item.id, item }))]
}

/** Runs arrive as `runs/<id>` without steps, and each step as `steps/<run>/<number>`. */
export function runChanges(items: readonly Patch[], stored: Pick<TopicCache<Run>, 'get'>): Patch[] {
  const changed = new Map<string, Run | null>()
  const known = (id: string) => (changed.has(id) ? (changed.get(id) ?? undefined) : stored.get(id))
  for (const { id, item } of items) {
    const [kind, run, number] = id.split('/') as [string, string, string?]
    const before = known(run)
    if (kind === 'runs') changed.set(run, item && { ...(item as Run), steps: before?.steps ?? [] })
    else if (before && item) changed.set(run, { ...before, steps: withStep(before.steps, Number(number), item) })
  }
  return [...changed].map(([id, item]) => ({ id, item }))
}

function withStep(steps: readonly RunStep[], number: number, item: object): RunStep[] {
  const { run_id: _run, ...step } = item as RunStep & { run_id: string }
  const next = [...steps]
  next[number] = step
  // A step may arrive before its predecessors.
  return next.filter(Boolean)
}
