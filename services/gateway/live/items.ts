import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { withDeadline } from '../../../platform/async/deadline.ts'
import { unavailable } from '../../../platform/core/problem.ts'
import type { ChangePosition, ChangeRow, ChangeState } from '../../../platform/store/change-rows.ts'
import type { LiveFrame } from '../../../schemas/gateway/live.ts'
import type { RecordedTopic } from '../../../platform/store/live-topic.ts'

/** Records read together. */
const READ_AT_ONCE = 100
/** Longer than a service takes to report that it is unavailable. */
export const READ_WITHIN_MS = 5000
/** Approximate characters of a frame; one item may have more. */
const FRAME_LENGTH = 256 * 1024

export interface NumberedItem extends ChangePosition {
  id: string
  item: object | null
}

/**
 * Reads the records of change rows, in parts for one frame each. A record is as current as its read, which may be after
 * a later change. Throws 503 if a read takes longer than `withinMs`: other topics wait for it.
 */
export async function* itemsOf(
  { definition, of }: { definition: Pick<RecordedTopic, 'read'>; of: string },
  rows: readonly ChangeRow[],
  withinMs: number,
): AsyncGenerator<NumberedItem[]> {
  for (let from = 0; from < rows.length; from += READ_AT_ONCE) {
    const some = rows.slice(from, from + READ_AT_ONCE)
    const reading = definition.read([...new Set(some.map(({ id }) => id))], of)
    const records = await withDeadline(withinMs, reading, () => unavailable(`no answer within ${withinMs} ms`))
    const lengths = new Map([...records].map(([id, record]) => [id, JSON.stringify(record).length]))
    let part: NumberedItem[] = []
    let left = FRAME_LENGTH
    for (const { seq, at, id } of some) {
      const length = lengths.get(id) ?? 0
      if (part.length > 0 && left < length) {
        yield part
        part = []
        left = FRAME_LENGTH
      }
      left -= length
      part.push({ seq, at, id, item: records.get(id) ?? null })
    }
    yield part
    await turnOfTheLoop()
  }
}

/** Without `epoch`, of changes that have no number. */
export function itemFrame(topic: string, epoch: string | null, items: readonly NumberedItem[]): LiveFrame {
  const seqOf = (position: ChangePosition) => (epoch === null ? null : positionText(epoch, position))
  return { topic, items: items.map(({ id, item, ...position }) => ({ seq: seqOf(position), id, item })) }
}

/** Records without a position. */
export const unnumberedFrame = (topic: string, records: ReadonlyMap<string, object | null>): LiveFrame =>
  itemFrame(
    topic,
    null,
    [...records].map(([id, item]) => ({ seq: 0, at: 0, id, item })),
  )

export const positionText = (epoch: ChangeState['epoch'], { seq, at }: ChangePosition): string =>
  `${epoch}:${seq}:${at}`

/** The text must have the form of a position. */
export function positionOf(text: string): ChangePosition & Pick<ChangeState, 'epoch'> {
  const [epoch, seq, at] = text.split(':') as [string, string, string]
  return { epoch, seq: Number(seq), at: Number(at) }
}
