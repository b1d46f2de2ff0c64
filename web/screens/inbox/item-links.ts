import type { InboxItem } from '../../../schemas/gateway/inbox.ts'
import type { Guard } from '../../../schemas/agent/guards.ts'

type InboxLink = InboxItem['links'][number]

interface LinkAction {
  label: string
  guard: Guard
  /** Shows the plan made now, and sends the hash that the item names. */
  needsPlan?: boolean
}

/** Operations that decide an item. Others only show something. */
const ACTIONS: Readonly<Record<string, LinkAction>> = {
  'controller.syncSource': { label: 'Sync…', guard: 'source', needsPlan: true },
  'controller.suspendSource': { label: 'Suspend the source', guard: 'source' },
  'controller.suspendResource': { label: 'Suspend', guard: 'source' },
  'controller.resumeResource': { label: 'Resume', guard: 'source' },
  'controller.releaseSource': { label: 'Release its resources', guard: 'source' },
}

export interface ItemAction extends LinkAction {
  link: InboxLink
}

export function actionsOf({ links }: Pick<InboxItem, 'links'>): ItemAction[] {
  return links.flatMap((link) => {
    const action = ACTIONS[link.operation]
    return action === undefined ? [] : [{ ...action, link }]
  })
}

type ItemName = Pick<InboxItem, 'kind' | 'id'>

/** Resource of an item about one, else null. */
export function resourceOf({ kind, id }: ItemName): { kind: string; name: string } | null {
  if (kind !== 'drift' && kind !== 'contest') return null
  const [, of, ...name] = id.split('/')
  return { kind: of!, name: name.join('/') }
}

/** Path of the screen that shows the item, else null. */
export function screenPath(item: ItemName): string | null {
  const resource = resourceOf(item)
  if (resource !== null) return `/state/${encodeURIComponent(resource.kind)}/${encodeURIComponent(resource.name)}`
  const source = sourceOf(item)
  return source === null || item.kind === 'orphan' ? null : `/plan/${encodeURIComponent(source)}`
}

/** Name of the source of an item about one, else null. */
export function sourceOf({ kind, id }: ItemName): string | null {
  const [, name = null] = id.split('/')
  return ['deletions', 'confirmation', 'denied-steps', 'sync', 'orphan'].includes(kind) ? name : null
}

/** The complete texts of a question or of a notification, as the daemon answers them. */
export function completeTexts(record: unknown): string[] {
  const { question, title, message } = (record ?? {}) as Record<string, unknown>
  return [question, title, message].filter((text): text is string => typeof text === 'string' && text !== '')
}
