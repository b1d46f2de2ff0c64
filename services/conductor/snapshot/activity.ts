import type { Activity, Actor } from './answers.ts'
import { STALE_TIME } from './facts.ts'
import type { ReadList } from './nested.ts'

interface Dated {
  createdAt: string
  lastEditedAt: string | null
  editor: Actor
}

/** The clock of an author may be ahead of the forge's. */
const MOST_AHEAD_MS = 24 * 60 * 60_000

/**
 * Newest activity of an account that is no bot, in milliseconds; at least the creation. If not all events were read:
 * the newest event of any account, because the activity is not later. `time`: now, by the clock of the forge.
 */
export function activeAt(
  { createdAt, lastEditedAt, editor }: Dated,
  { nodes, isComplete }: ReadList<'activity'>,
  time: number,
): number {
  const edited = lastEditedAt !== null && !isBot(editor) ? [Date.parse(lastEditedAt)] : []
  const counted = isComplete ? nodes.filter(isHuman) : nodes
  return Math.max(Date.parse(createdAt), ...edited, ...counted.map((event) => timeOf(event, time) ?? 0))
}

/** True if events before these, the newest ones, cannot change whether an item is stale at `time`. */
export function tellsStale(
  { createdAt }: Pick<Dated, 'createdAt'>,
  events: readonly Activity[],
  time: number,
): boolean {
  const isNew = time - Date.parse(createdAt) <= STALE_TIME
  return isNew || events.some((event) => isActivity(event, time) || isOld(event, time))
}

const isActivity = (event: Activity, time: number): boolean => isHuman(event) && timeOf(event, time) !== null

/** The forge dates it: the author of a commit chooses its date. */
const isOld = (event: Activity, time: number): boolean =>
  !event.commit && time - (timeOf(event, time) ?? time) > STALE_TIME

function isHuman(event: Activity): boolean {
  const { commit } = event
  if (commit) return !isBotLogin(commit.author?.user?.login ?? commit.author?.name ?? '')
  return !isBot(event.actor ?? event.author ?? null)
}

/** A deleted account counts as a person. */
const isBot = (actor: Actor): boolean => actor !== null && (actor.__typename === 'Bot' || isBotLogin(actor.login))

const isBotLogin = (login: string): boolean => login.endsWith('[bot]')

/** Null for a review that is not submitted, and for a date of a commit that cannot be: its author chooses it. */
function timeOf({ commit, createdAt, submittedAt }: Activity, time: number): number | null {
  const at = commit ? Date.parse(commit.committedDate) : Date.parse(createdAt ?? submittedAt ?? '')
  return Number.isNaN(at) || (commit && at > time + MOST_AHEAD_MS) ? null : at
}
