import { expect, test } from 'vitest'
import type { TranscriptEntry } from '../../../../../schemas/agent/transcript.ts'
import type { InboxItem } from '../../../../../schemas/gateway/inbox.ts'
import { approvalId, pendingRequests } from '../../../../../web/screens/agents/talk/pending-requests.ts'

const entry = (approval_id: string, status: string) => ({ type: 'approval', approval_id, status }) as TranscriptEntry
const item = (id: string, deadline: string | null) => ({ id: `approval/${id}`, deadline }) as InboxItem

test('finds the pending requests of a conversation, the earliest deadline first', () => {
  const inbox = [
    item('late', '2026-11-27T15:00:00Z'),
    item('none', null),
    item('soon', '2026-11-27T14:00:00Z'),
    item('of another agent', '2026-11-27T13:00:00Z'),
  ]
  const entries = [
    { type: 'text' } as TranscriptEntry,
    ...['none', 'late', 'soon', 'decided since'].map((id) => entry(id, 'pending')),
    entry('of another agent', 'approved'),
  ]
  expect(pendingRequests(entries, inbox).map(approvalId)).toEqual(['soon', 'late', 'none'])
})
