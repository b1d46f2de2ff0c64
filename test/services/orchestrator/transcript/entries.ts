// Reads transcripts in tests.
import { randomUUID } from 'node:crypto'
import type { TranscriptEntry, TranscriptPage } from '../../../../schemas/agent/transcript.ts'
import { eventually } from '../../../support/eventually.ts'
import type { Frame, HandAgent } from '../../../support/hand-agent.ts'
import type { TestOrchestrator } from '../harness.ts'

export type Side = 'after' | 'before'

export const says = (text: string, more: Frame = {}): Frame => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  uuid: randomUUID(),
  ...more,
})

export const callsTool = (id: string, name: string, input: Frame): Frame => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
  uuid: randomUUID(),
})

export const gives = (id: string, content: unknown, isError = false): Frame => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
  uuid: randomUUID(),
})

export const pageOf = (
  { orchestrator }: TestOrchestrator,
  id: string,
  { side = 'before', cursor = '', limit = 200 }: { side?: Side; cursor?: string; limit?: number } = {},
): Promise<TranscriptPage> => orchestrator.transcripts.page(id, { side, cursor, limit })

/** Short form of an entry: its type, and its text if it has one. */
export function shortOf(entry: TranscriptEntry): string {
  if (entry.type === 'tool_call') return `tool_call ${entry.tool_name}`
  if (entry.type === 'approval') return `approval ${String(entry.status)}`
  return `${entry.type} ${entry.text}`.trimEnd()
}

export async function shorts(daemon: TestOrchestrator, id: string): Promise<string[]> {
  return (await pageOf(daemon, id)).items.map(shortOf)
}

/** Sends the frames and a text, and returns their entries once that text is recorded; at most one page. */
export async function entriesAfter(
  daemon: TestOrchestrator,
  { id, agent }: { id: string; agent: HandAgent },
  ...frames: Frame[]
): Promise<TranscriptEntry[]> {
  const marker = randomUUID()
  const isMarker = (entry: TranscriptEntry) => entry.type === 'text' && entry.text === marker
  const { next } = await pageOf(daemon, id)
  agent.send(...frames, says(marker))
  await eventually(async () => (await pageOf(daemon, id, { limit: 1 })).items.some(isMarker))
  const { items } = await pageOf(daemon, id, { side: 'after', cursor: next ?? '' })
  return items.filter((entry) => !isMarker(entry))
}
