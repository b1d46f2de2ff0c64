import type { Unsubscribe } from '../../../platform/async/change-feed.ts'
import { isAgent } from '../../../platform/core/actor.ts'
import { forbidden } from '../../../platform/core/problem.ts'
import type { ChangeSource } from '../../../platform/store/change-triggers.ts'
import type { RecordedTopic } from '../../../platform/store/live-topic.ts'
import type { Inbox } from './inbox.ts'

export interface InboxTopicParts {
  /** Permissions of an agent; none for an unknown one. */
  mayOf(agentId: string): Promise<readonly string[]>
  /** Tables of the other services whose changes change the inbox: the id is that of a group. At least one. */
  inboxSources: readonly ChangeSource[]
  /** Reports sources of manifests with another plan. */
  planned(listener: (source: string) => void): Unsubscribe
}

/** The items of a group replace those before. */
export function inboxTopic(inbox: Inbox, { mayOf, inboxSources, planned }: InboxTopicParts): RecordedTopic {
  return {
    name: 'inbox',
    sources: inboxSources as RecordedTopic['sources'],
    open: async (_, by) => {
      if (!isAgent(by)) return
      const may = by.agent === undefined ? [] : await mayOf(by.agent)
      if (!may.includes('approve'))
        throw forbidden(
          `${by.actor} may not read the inbox: add may: [approve] to the agent's manifest`,
          'agent-may-not',
        )
    },
    read: (groups) => inbox.groups(groups),
    unrecorded: (listener) => planned((source) => listener(`source/${source}`)),
  }
}
