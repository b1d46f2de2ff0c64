import type { Drift, ResourceDetail } from '../../../schemas/resource.ts'
import type { StateName } from '../../parts/states/states.ts'

export interface HistoryRow {
  id: string
  at: string
  state: StateName
  /** Author of a manual change, else null. */
  actor: string | null
  text: string
  /** Field of a manual change, or revision of a step; shown in mono. */
  subject: string
  /** Null for a manual change. */
  run: string | null
}

const DONE: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'updated',
  restart: 'restarted',
  replace: 'replaced',
  adopt: 'adopted',
  delete: 'deleted',
}

const STATES: Readonly<Record<string, StateName>> = { done: 'done', failed: 'failed' }

const driftRow = ({ id, first_seen, actor, path, resolution }: Drift): HistoryRow => ({
  id,
  at: first_seen,
  state: resolution === null ? 'drifted' : 'done',
  actor: actor ?? 'unknown',
  text: path === '' ? 'deleted the live resource' : 'set',
  subject: path,
  run: null,
})

function stepText(action: string, status: string, hasRevision: boolean): string {
  const [text, preposition] = status === 'done' ? [DONE[action] ?? action, 'to'] : [`${action} ${status}`, 'at']
  return hasRevision ? `${text} ${preposition}` : text
}

/** Steps of runs and manual changes, newest first. Steps without a time come first: they have not started. */
export function historyRows({ history, drift }: Pick<ResourceDetail, 'history' | 'drift'>): HistoryRow[] {
  const steps = history.map(({ run_id, action, status, revision, at }, index): HistoryRow => ({
    id: `${run_id}-${index}`,
    at: at ?? '',
    state: STATES[status] ?? 'pending',
    actor: null,
    text: stepText(action, status, revision !== null),
    subject: revision?.slice(0, 7) ?? '',
    run: run_id,
  }))
  return [...steps, ...drift.map(driftRow)].sort((a, b) => (rank(a) > rank(b) ? -1 : 1))
}

const rank = ({ at }: HistoryRow) => (at === '' ? '~' : at)

/** Run that made the last applied state; null if it is no longer known. */
export function lastRun({ history }: Pick<ResourceDetail, 'history'>): string | null {
  const done = history.filter(({ status, at }) => status === 'done' && at !== null)
  return done.toSorted((a, b) => (a.at! > b.at! ? -1 : 1))[0]?.run_id ?? null
}
