import type { Addition } from './addition.ts'

export const trigger: Addition = {
  made: {
    'services/orchestrator/workflows/triggers/heartbeat.ts': `
// \`heartbeat\`: a task at every poll interval.
import type { Timer } from '../../../../platform/core/clock.ts'
import type { TriggerDefinition } from './contract.ts'

export const heartbeat: TriggerDefinition = {
  type: 'heartbeat',
  fires: 'polled',
  open: ({ clock, accept, report }, { id, pollIntervalSecs }) => {
    let timer: Timer | null = null
    const beat = () => {
      accept([{ sourceId: \`heartbeat:\${id}\`, title: 'Heartbeat' }]).catch(report)
      timer = clock.after(pollIntervalSecs * 1000, beat)
    }
    return {
      start: async () => void (timer = clock.after(pollIntervalSecs * 1000, beat)),
      stop: async () => timer?.cancel(),
    }
  },
}
`,
  },
  touched: {
    'services/orchestrator/workflows/triggers/index.ts': [
      [
        "import { manual } from './manual.ts'\n",
        "import { heartbeat } from './heartbeat.ts'\nimport { manual } from './manual.ts'\n",
      ],
      ['  manual,\n', '  manual,\n  heartbeat,\n'],
    ],
    'schemas/trigger.ts': [
      [
        "  manual: closedObject({ ...is('manual') }),\n",
        "  manual: closedObject({ ...is('manual') }),\n  heartbeat: closedObject({ ...is('heartbeat') }),\n",
      ],
      ['  manual: [],\n', '  manual: [],\n  heartbeat: [],\n'],
    ],
    'test/services/orchestrator/workflows/triggers/contract.ts': [
      ["  manual: { type: 'manual' },\n", "  manual: { type: 'manual' },\n  heartbeat: { type: 'heartbeat' },\n"],
    ],
    'docs/specification.md': [['`agent_lifecycle`,', '`heartbeat`, `agent_lifecycle`,']],
    'docs/kinds/workflow.md': [['`manual`', '`manual`, `heartbeat`']],
  },
}
