import type { InboxItem, InboxKind, InboxPart } from '../../../schemas/gateway/inbox.ts'
import type { StateName } from '../../parts/states/states.ts'

export const SECTIONS = ['Blocking a turn', 'On hold until you decide', 'For information'] as const
export type Section = (typeof SECTIONS)[number]

/** Sections that the address can select, by the value of `show`. */
export const FILTERS = {
  blocking: 'Blocking a turn',
  held: 'On hold until you decide',
  information: 'For information',
} as const satisfies Record<string, Section>
export type Filter = keyof typeof FILTERS

/** The filter of the address; null for all sections, also for a value that is none. */
export const filterOf = (show: unknown): Filter | null =>
  typeof show === 'string' && Object.hasOwn(FILTERS, show) ? (show as Filter) : null

const KINDS: Record<InboxKind, { section: Section; state: StateName }> = {
  approval: { section: 'Blocking a turn', state: 'decision' },
  question: { section: 'Blocking a turn', state: 'question' },
  notification: { section: 'For information', state: 'notification' },
  deletions: { section: 'On hold until you decide', state: 'held' },
  confirmation: { section: 'On hold until you decide', state: 'held' },
  'denied-steps': { section: 'On hold until you decide', state: 'denied' },
  sync: { section: 'On hold until you decide', state: 'pending' },
  orphan: { section: 'On hold until you decide', state: 'warning' },
  contest: { section: 'On hold until you decide', state: 'drifted' },
  drift: { section: 'On hold until you decide', state: 'drifted' },
  gate: { section: 'On hold until you decide', state: 'decision' },
}

/** One decision: an item, or several approvals for the same tool, input and policy. */
export interface InboxRow {
  /** Id of the first item. */
  id: string
  items: readonly InboxItem[]
  section: Section
  state: StateName
  deadline: string | null
  since: string | null
  /** No longer in the list of the daemon: decided elsewhere, or expired. */
  isGone: boolean
}

const NEVER = '~'
const orderOf = ({ section, deadline, since, id }: InboxRow) =>
  [SECTIONS.indexOf(section), deadline ?? NEVER, since ?? NEVER, id].join('\n')

const earliest = (times: readonly (string | null)[]): string | null =>
  times.filter((time) => time !== null).sort()[0] ?? null

function rowOf(items: readonly InboxItem[]): InboxRow {
  const first = items[0]!
  return {
    id: first.id,
    items,
    ...KINDS[first.kind],
    deadline: earliest(items.map(({ deadline }) => deadline)),
    since: earliest(items.map(({ since }) => since)),
    isGone: false,
  }
}

/** Rows by section, deadline and age. Items that are alike form one row. */
export function rowsOf(items: readonly InboxItem[]): InboxRow[] {
  const groups = new Map<string, InboxItem[]>()
  for (const item of items) {
    const key = item.alike ?? item.id
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return [...groups.values()].map(rowOf).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}

export interface Arrangement {
  rows: readonly InboxRow[]
  /** Items that arrived since `rows` were arranged. */
  hidden: number
}

export const NOTHING: Arrangement = { rows: [], hidden: 0 }

/**
 * Keeps the order of the shown rows, so that no row moves under a finger. New items stay hidden; items that left stay,
 * marked as gone. Shows everything if nothing was shown.
 */
export function arranged({ rows: shown }: Arrangement, items: readonly InboxItem[]): Arrangement {
  if (shown.length === 0) return { rows: rowsOf(items), hidden: 0 }
  const current = new Map(items.map((item) => [item.id, item]))
  const rows = shown.map((row) => {
    const left = row.items.flatMap(({ id }) => current.get(id) ?? [])
    // The id stays, because it is in the address.
    if (left.length > 0) return { ...rowOf(left), id: row.id }
    return row.isGone ? row : { ...row, isGone: true }
  })
  const known = new Set(shown.flatMap((row) => row.items.map(({ id }) => id)))
  return { rows, hidden: items.filter(({ id }) => !known.has(id)).length }
}

/** "1 new", or null without new items. */
export const hiddenText = ({ hidden }: Arrangement): string | null => (hidden === 0 ? null : `${hidden} new`)

/** Title of a row. Identical requests name every agent, since one decision is for all of them. */
export function titleOf(items: readonly InboxItem[]): readonly InboxPart[] {
  const [first] = items
  const names = new Map(items.map(({ title: [name] }) => [JSON.stringify(name), name!]))
  if (names.size < 2 || first!.kind !== 'approval') return first!.title
  const [, , ...rest] = first!.title
  const listed = [...names.values()].flatMap((name, index) => (index === 0 ? [name] : [{ text: ', ' }, name]))
  return [...listed, { text: ' request ' }, ...rest]
}

/** Id of the approval of an item, else null. */
export const approvalId = ({ kind, id }: Pick<InboxItem, 'kind' | 'id'>): string | null =>
  kind === 'approval' ? id.slice('approval/'.length) : null

/** Id of the approval in the address of an item, also of one that no longer waits. */
export const approvalInAddress = (id: string): string | null =>
  /^approval\/[0-9a-f-]{36}$/.test(id) ? id.slice('approval/'.length) : null

/** Number of items that still wait. */
export const waitingCount = ({ rows, hidden }: Arrangement): number =>
  hidden + rows.filter(({ isGone }) => !isGone).reduce((sum, { items }) => sum + items.length, 0)
