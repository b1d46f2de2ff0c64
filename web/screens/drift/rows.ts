import type { Drift } from '../../../schemas/resource.ts'
import { dayText } from '../../parts/time/dates.ts'

/** The timeline shows the last 24 hours. */
export const WINDOW_MS = 24 * 60 * 60 * 1000
/** Records of a resource within the timeline that count as a contest. */
const CONTEST = 5

export type BarLook = 'open' | 'reverted' | 'accepted' | 'resolved'

const LOOKS: Record<NonNullable<Drift['resolution']>, BarLook> = {
  overwritten: 'reverted',
  reverted: 'reverted',
  healed: 'reverted',
  accepted: 'accepted',
  resolved: 'resolved',
  ignored: 'resolved',
  superseded: 'resolved',
  pruned: 'resolved',
}

export const barLook = ({ resolution }: Pick<Drift, 'resolution'>): BarLook =>
  resolution === null ? 'open' : LOOKS[resolution]

export interface Bar {
  id: string
  /** Shares of the timeline, 0 to 1. */
  from: number
  to: number
  look: BarLook
  drift: Drift
}

export interface Track {
  /** `kind/name` */
  id: string
  bars: readonly Bar[]
  isContest: boolean
}

const resourceId = ({ kind, name }: Pick<Drift, 'kind' | 'name'>) => `${kind}/${name}`

/** One track per resource with drift in the last 24 hours, most recent first. An open record reaches until now. */
export function tracksOf(records: readonly Drift[], now: number): Track[] {
  const start = now - WINDOW_MS
  const share = (time: number) => Math.min(Math.max((time - start) / WINDOW_MS, 0), 1)
  const tracks = new Map<string, Bar[]>()
  for (const drift of records) {
    const end = drift.resolution === null ? now : Date.parse(drift.last_seen)
    if (end < start) continue
    const bar = { id: drift.id, from: share(Date.parse(drift.first_seen)), to: share(end), look: barLook(drift), drift }
    const id = resourceId(drift)
    const bars = tracks.get(id)
    if (bars) bars.push(bar)
    else tracks.set(id, [bar])
  }
  return [...tracks]
    .map(([id, bars]) => ({
      id,
      bars: bars.sort((a, b) => a.from - b.from),
      isContest: bars.length >= CONTEST,
    }))
    .sort((a, b) => b.bars.at(-1)!.to - a.bars.at(-1)!.to || (a.id < b.id ? -1 : 1))
}

/** Times of the axis, every four hours, with their shares. */
export function axisOf(now: number): { at: number; share: number }[] {
  const step = WINDOW_MS / 6
  return Array.from({ length: 6 }, (_, index) => ({ at: now - WINDOW_MS + index * step, share: index / 6 }))
}

export interface DriftSection {
  title: string
  records: readonly Drift[]
}

const newestFirst = (records: readonly Drift[], time: 'first_seen' | 'last_seen') =>
  records.toSorted((a, b) => (a[time] > b[time] ? -1 : 1))

/** Open records, then closed ones; the newest first. */
export function inOrder(records: readonly Drift[]): Drift[] {
  const isOpen = ({ resolution }: Drift) => resolution === null
  const closed = records.filter((drift) => !isOpen(drift))
  return [...newestFirst(records.filter(isOpen), 'first_seen'), ...newestFirst(closed, 'last_seen')]
}

/** Open records, then closed ones by the day of their end. `records`: in order. */
export function sectionsOf(records: readonly Drift[], now: number): DriftSection[] {
  const sections = new Map<string, Drift[]>()
  for (const drift of records) {
    const day = drift.resolution === null ? 'Open' : dayText(Date.parse(drift.last_seen), now)
    const title = day === 'Today' ? 'Closed today' : day
    const section = sections.get(title)
    if (section) section.push(drift)
    else sections.set(title, [drift])
  }
  return [...sections].map(([title, some]) => ({ title, records: some }))
}

/** "2 open, 9 closed in 24 h" */
export function summaryText(records: readonly Drift[], now: number): string {
  const open = records.filter(({ resolution }) => resolution === null).length
  const closed = records.filter(
    ({ resolution, last_seen }) => resolution !== null && Date.parse(last_seen) >= now - WINDOW_MS,
  ).length
  return `${open} open, ${closed} closed in 24 h`
}

/** Records that contain all words of a filter: in the resource, the field, the author or the end. */
export function matchingDrift(records: readonly Drift[], query: string): readonly Drift[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return records
  return records.filter(({ kind, name, path, actor, endpoint, resolution }) => {
    const text = [`${kind}/${name}`, path, actor ?? 'unknown', endpoint ?? '', resolution ?? 'open']
      .join(' ')
      .toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
