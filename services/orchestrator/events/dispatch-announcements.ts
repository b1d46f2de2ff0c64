// Publishes what became of a dispatch, after the commit.
import type { DispatchRecord } from '../../../schemas/workflow.ts'
import type { EventsWorld } from './world.ts'
import { LONGEST_CHAIN } from '../record/dispatch-store.ts'
import type { DispatchRow } from '../record/tables.ts'

/** Characters of a prompt or a result that all who watch are told. */
const LONGEST_TOLD = 32 * 1024

/** Who watches is given the beginning of what is long; its record has it whole. */
function shortened(dispatch: DispatchRecord): DispatchRecord {
  const { prompt_sent, result } = dispatch
  return { ...dispatch, prompt_sent: beginning(prompt_sent), result: result && beginning(result) }
}

function beginning(text: string): string {
  if (text.length <= LONGEST_TOLD) return text
  return `${text.slice(0, LONGEST_TOLD)}… (the whole has ${text.length} characters)`
}

/** Tells those who watch, and those who wait for the end of it; call after the commit. */
export function announceDispatch(service: EventsWorld, row: DispatchRow): void {
  const dispatch: DispatchRecord = service.tables.dispatches.record(row)
  service.figures.moved(row)
  const told = { dispatch: shortened(dispatch) }
  service.streams.publish(dispatch.agent_id, 'dispatch', `dispatch ${dispatch.id} ${dispatch.status}`, told)
  const { id, workflow_id, status } = dispatch
  if (status === 'pending' || status === 'dispatched' || row.depth > LONGEST_CHAIN) return
  const source_id = row.task?.metadata?.original_source_id ?? dispatch.source_id
  service.events.publish({
    type: 'DispatchCompleted',
    workflow_id,
    dispatch_id: id,
    status,
    source_id,
    depth: row.depth,
  })
}
