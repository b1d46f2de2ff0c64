import { Option } from 'commander'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import * as operations from '../../../schemas/operations/orchestrator/workflows.ts'
import { FIRING_OUTCOMES, type FiringRecord } from '../../../schemas/workflow/firing.ts'
import { age } from '../../output/duration.ts'
import { renderTable, type Column } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { verb } from '../../verb.ts'
import { aWorkflow } from './subjects.ts'

const COLOURS = { dispatched: 'green', filtered: undefined, refused: 'red', missed: 'yellow', failed: 'red' } as const

const FIRING_COLUMNS: Column<FiringRecord>[] = [
  { title: 'OUTCOME', value: ({ outcome }) => outcome, colour: ({ outcome }) => COLOURS[outcome] },
  { title: 'TRIGGER', value: ({ trigger_type }) => trigger_type, kind: 'extra' },
  { title: 'COUNT', value: ({ count }) => count },
  { title: 'AGO', value: ({ last_at }) => age(last_at), kind: 'time' },
  { title: 'EVENT', value: ({ delivery }) => delivery?.event ?? '', kind: 'text' },
  { title: 'STATUS', value: ({ delivery }) => delivery?.status ?? '', kind: 'extra' },
  { title: 'DISPATCH', value: ({ dispatch_id }) => dispatch_id?.slice(0, 8) ?? '' },
  { title: 'REASON', value: ({ reason, source_id }) => reason ?? source_id, kind: 'text' },
]

export const firingVerbs: readonly CommandEntry[] = [
  verb('workflow-firings', group, operations.listFirings, {
    summary: 'List the firings of a trigger and what they led to',
    subject: aWorkflow,
    options: {
      outcome: new Option('--outcome <outcome>', 'Only firings with this outcome').choices(FIRING_OUTCOMES),
    },
    examples: [
      'agent orchestrator workflow-firings triage',
      'agent orchestrator workflow-firings triage --outcome refused',
    ],
    done: (firings) => renderTable(firings, FIRING_COLUMNS, 'No firings yet.'),
  }),
  verb('workflow-schedule', group, operations.getSchedule, {
    summary: 'Show when a workflow fires next',
    subject: aWorkflow,
    examples: ['agent orchestrator workflow-schedule triage'],
    done: ({ next }) => (next.length > 0 ? next.join('\n') : 'No firing is scheduled.'),
  }),
]
