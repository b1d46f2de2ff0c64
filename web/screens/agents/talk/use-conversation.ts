import { useMemo, useRef, useSyncExternalStore } from 'react'
import type { TranscriptEntry } from '../../../../schemas/agent/transcript.ts'
import { inboxTopic } from '../../../live/topics.ts'
import { useLive, useRecords, useTopic } from '../../../live/use-live.ts'
import { Conversation } from './conversation.ts'
import { approvalId, pendingRequests } from './pending-requests.ts'
import type { Decidable } from './request.tsx'

const PAGE = 200

interface Followed {
  conversation: Conversation<TranscriptEntry>
  subscribe(listener: () => void): () => void
  /** Counts changes. */
  version(): number
}

/** Follows the conversation of an agent while it is on screen. */
export function useConversation(id: string): Conversation<TranscriptEntry> {
  const { clients, store } = useLive()
  const followed = useMemo((): Followed => {
    let count = 0
    let listener: () => void = () => undefined
    const conversation = new Conversation<TranscriptEntry>({
      read: (cursor, signal) =>
        clients.orchestrator.getTranscript({ params: { id }, query: { ...cursor, limit: PAGE }, signal }),
      changed: () => {
        count += 1
        listener()
      },
    })
    const subscribe = (added: () => void) => {
      listener = added
      const end = store.listen(`agent/${id}`, {
        changed: () => void conversation.notice(),
        refused: (error) => conversation.fail(error),
      })
      void conversation.readEnd()
      return end
    }
    return { conversation, subscribe, version: () => count }
  }, [id])
  useSyncExternalStore(followed.subscribe, followed.version, followed.version)
  return followed.conversation
}

/** Number of entries that arrived since the view left the end. */
export function useNewer(entries: readonly TranscriptEntry[], follows: boolean): number {
  const lastSeen = useRef<string | null>(null)
  if (follows) lastSeen.current = entries.at(-1)?.id ?? null
  const index = entries.findIndex(({ id }) => id === lastSeen.current)
  return index === -1 ? 0 : entries.length - 1 - index
}

/** The pending requests of the conversation: the one that expires first may be decided here. */
export function usePending(entries: readonly TranscriptEntry[]): Decidable {
  const { cache, isKnown } = useTopic(inboxTopic)
  const items = useRecords(cache)
  const joined = pendingRequests(entries, items).map(approvalId).join(' ')
  const ids = useMemo(() => (joined === '' ? [] : joined.split(' ')), [joined])
  return useMemo(() => ({ ids, isKnown }), [ids, isKnown])
}
