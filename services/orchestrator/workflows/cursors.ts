// How far a trigger has read what it watches: one text a workflow, which outlives the daemon.
import { now, type ServiceParts } from '../parts.ts'
import type { Cursor } from './triggers/contract.ts'

export function cursorOf(service: ServiceParts, workflowId: string): Cursor {
  const { cursors } = service.tables
  return {
    read: async () => (await cursors.find(workflowId))?.cursor ?? null,
    write: (cursor) => cursors.put([{ workflow_id: workflowId, cursor, updated_at: now(service) }]),
  }
}
