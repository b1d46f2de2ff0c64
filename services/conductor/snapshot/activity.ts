import type { Activity, Actor } from './answers.ts'

interface Dated {
  createdAt: string
  lastEditedAt: string | null
  editor: Actor
}

/** Newest activity of an account that is no bot, in milliseconds; at least the creation. */
export function activeAt({ createdAt, lastEditedAt, editor }: Dated, events: readonly Activity[]): number {
  const edited = lastEditedAt !== null && !isBot(editor) ? [Date.parse(lastEditedAt)] : []
  return Math.max(Date.parse(createdAt), ...edited, ...events.filter(isHuman).map(timeOf))
}

/** True for an event that counts as activity. */
export function isHuman(event: Activity): boolean {
  const { commit } = event
  if (commit) return !isBotLogin(commit.author?.user?.login ?? commit.author?.name ?? '')
  return !isBot(event.actor ?? event.author ?? null)
}

/** A deleted account counts as a person. */
const isBot = (actor: Actor): boolean => actor !== null && (actor.__typename === 'Bot' || isBotLogin(actor.login))

const isBotLogin = (login: string): boolean => login.endsWith('[bot]')

/** A review that is not submitted has no time. */
function timeOf({ commit, createdAt, submittedAt }: Activity): number {
  const at = commit?.committedDate ?? createdAt ?? submittedAt
  return at ? Date.parse(at) : 0
}
