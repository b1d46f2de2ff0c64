// Reads of other services for one inbox. Each list is read once, whatever number of kinds use it.
import type { World } from '../../../platform/service/world.ts'
import type { ConductorRun } from '../../../schemas/conductor/run.ts'
import { askOperations } from '../../../schemas/operations/ask.ts'
import { conductorOperations } from '../../../schemas/operations/conductor.ts'
import { controllerOperations } from '../../../schemas/operations/controller.ts'
import { notifyOperations } from '../../../schemas/operations/notify.ts'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import type { Paged, Slice } from '../../../schemas/operations/page.ts'

/** Items of one list that are read. */
export const MOST_READ = 1000
/** Small, because an approval may have a long input, and a page is parsed without a pause. */
const PAGE = 50
/** A run may have thousands of items. */
const RUNS_PAGE = 20
/** Of all repositories together. */
const RUNS_READ = 100

export interface ReadList<T> {
  items: T[]
  /** False if there are more than `MOST_READ`. */
  isWhole: boolean
  /** Why other items could not be found; null or missing if nothing else is known to be missing. */
  unread?: string | null
}

export type Reads = ReturnType<typeof createReads>

/** Rejects with the Problem of the service. */
export function createReads(call: World['call'], signal: AbortSignal) {
  const controller = call(controllerOperations)
  return {
    approvals: once(() =>
      byCursor((page) => call(orchestratorOperations).listApprovals({ query: { status: 'pending', ...page }, signal })),
    ),
    questions: once(() =>
      byOffset((page) => call(askOperations).listQuestions({ query: { status: 'Pending', ...page }, signal })),
    ),
    notifications: once(() => byOffset((page) => call(notifyOperations).listActionable({ query: page, signal }))),
    sources: once(() => byOffset((page) => controller.listSources({ query: page, signal }))),
    contested: once(() =>
      byCursor((page) => controller.listResources({ query: { q: 'is:contested', ...page }, signal })),
    ),
    drift: once(() => byCursor((page) => controller.listDrift({ query: { open: true, ...page }, signal }))),
    runs: once(async (): Promise<ReadList<ConductorRun>> => {
      const { listRuns } = call(conductorOperations)
      const { items } = await byOffset((page) => listRuns({ query: page, signal }), {
        page: RUNS_PAGE,
        most: RUNS_READ,
      })
      // Older runs of a repository change nothing that waits now.
      return { items, isWhole: true }
    }),
  }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => (reading ??= read())
}

/** From the end, where the oldest items are. */
async function byCursor<T>(
  page: (query: { before: string; limit: number }) => Promise<Slice<T>>,
): Promise<ReadList<T>> {
  const items: T[] = []
  let before: string | null = ''
  while (before !== null && items.length < MOST_READ) {
    const slice: Slice<T> = await page({ before, limit: PAGE })
    items.push(...slice.items)
    before = slice.previous
  }
  return { items, isWhole: before === null }
}

async function byOffset<T>(
  page: (query: { limit: number; offset: number }) => Promise<Paged<T>>,
  { page: limit, most }: { page: number; most: number } = { page: PAGE, most: MOST_READ },
): Promise<ReadList<T>> {
  const items: T[] = []
  for (let total = Infinity; items.length < Math.min(total, most);) {
    const found: Paged<T> = await page({ limit, offset: items.length })
    items.push(...found.items)
    total = found.items.length === 0 ? items.length : found.total
    if (items.length >= most && total > items.length) return { items, isWhole: false }
  }
  return { items, isWhole: true }
}
