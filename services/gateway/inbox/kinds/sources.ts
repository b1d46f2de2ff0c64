// Decisions about sources of manifests.
import {
  adoptSource,
  controllerOperations as group,
  getSource,
  plan,
  releaseSource,
  suspendSource,
  syncSource,
} from '../../../../schemas/operations/controller.ts'
import type { InboxLink, InboxPart } from '../../../../schemas/gateway/inbox.ts'
import type { Source } from '../../../../schemas/source.ts'
import { counted, link, named, plain, type ItemDraft } from '../parts.ts'
import { entry, type InboxEntry } from './entry.ts'

/** Names in the detail of an item. */
const SHOWN = 20

const ofSource = (itemsOf: (source: Source) => readonly ItemDraft[]): InboxEntry =>
  entry(
    group,
    (reads) => reads.sources(),
    (source) => itemsOf(source).map((item) => ({ ...item, group: `source/${source.name}` })),
  )

export const deletions = ofSource(({ name, held_back }) => {
  const held = held_back?.deletions
  if (!held) return []
  const { hash, resources, deletes, owned, max_delete } = held
  return [
    {
      id: `deletions/${name}/${hash}`,
      since: held_back.since,
      title: [plain('Source '), named(name), plain(` holds back ${counted(deletes, 'deletion')}`)],
      detail: [plain(`${deletes} of ${owned} resources, above the budget of ${max_delete}: `), ...namesOf(resources)],
      links: [...syncLinks(name, { prune_override: hash }), link(group, suspendSource, { params: { name } })],
    },
  ]
})

export const confirmation = ofSource(({ name, held_back }) => {
  const held = held_back?.steps
  if (!held || held.hash === null) return []
  const { hash, unconfirmed } = held
  return [
    {
      id: `confirmation/${name}/${hash}`,
      since: held_back.since,
      title: [plain('Source '), named(name), plain(` needs confirmation of ${counted(unconfirmed.length, 'step')}`)],
      detail: namesOf(unconfirmed),
      links: [...syncLinks(name, { confirm: hash }), link(group, suspendSource, { params: { name } })],
    },
  ]
})

export const deniedSteps = ofSource(({ name, held_back }) => {
  const denied = held_back?.steps?.denied ?? []
  if (denied.length === 0) return []
  return [
    {
      id: `denied-steps/${name}`,
      since: held_back!.since,
      title: [plain('Policies deny '), plain(counted(denied.length, 'step')), plain(' of source '), named(name)],
      detail: namesOf(denied),
      links: [planLink(name), link(group, getSource, { params: { name } })],
    },
  ]
})

/** A held or suspended source waits because a person wanted it. */
export const sync = ofSource(({ name, sync: { mode }, revision, applied_revision, suspended, orphaned, hold }) => {
  if (mode !== 'manual' || suspended || orphaned || hold || revision === null || revision === applied_revision)
    return []
  return [
    {
      id: `sync/${name}/${revision}`,
      title: [plain('Source '), named(name), plain(' waits for a sync')],
      detail: [plain('Revision '), named(revision), plain(' is not applied')],
      // No sync: it would apply a later revision than the one shown.
      links: [planLink(name), link(group, getSource, { params: { name } })],
    },
  ]
})

export const orphan = ofSource(({ name, orphaned, owned }) => {
  if (!orphaned) return []
  const params = { name }
  return [
    {
      id: `orphan/${name}`,
      title: [plain('Source '), named(name), plain(' is no longer configured')],
      detail: [plain(`It owns ${counted(owned, 'resource')}`)],
      links: [link(group, adoptSource, { params }), link(group, releaseSource, { params })],
    },
  ]
})

const planLink = (source: string): InboxLink => link(group, plan, { body: { source } })

/** `body` names what the person saw. */
const syncLinks = (name: string, body: Record<string, unknown>): InboxLink[] => [
  link(group, syncSource, { params: { name }, body }),
  planLink(name),
]

function namesOf(names: readonly string[]): InboxPart[] {
  const shown = names.slice(0, SHOWN).flatMap((name, at) => [...(at > 0 ? [plain(', ')] : []), named(name)])
  return names.length > SHOWN ? [...shown, plain(` and ${names.length - SHOWN} more`)] : shown
}
