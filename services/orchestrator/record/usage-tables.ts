import * as Type from 'typebox'
import { table, type RowIn, type TableWorld } from '../../../platform/store/table.ts'
import { Usage, UsagePeriod } from '../../../schemas/agent/usage.ts'

export const TOKENS = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const
export const FIGURES = [
  ...TOKENS,
  'total_cost_usd',
  'num_turns',
  'duration_ms',
  'duration_api_ms',
  'result_count',
] as const
/** Usage of a turn, a session or a period. */
export type Figures = Record<(typeof FIGURES)[number], number>

export const figures = (value: (name: keyof Figures) => number): Figures =>
  Object.fromEntries(FIGURES.map((name) => [name, value(name)])) as Figures

/** Without float noise. */
export const shownFigures = (used: Figures): Figures =>
  figures((name) => (name === 'total_cost_usd' ? Math.round(used[name] * 1e8) / 1e8 : Math.round(used[name])))

export const usageTables = (world: TableWorld) => ({
  sessions: table(world, 'orchestrator_sessions', Usage, {
    what: 'session',
    private: { agent_id: Type.String(), number: Type.Integer() },
    key: ['agent_id', 'number'],
    defaults: figures(() => 0),
    order: [{ column: 'number', order: 'asc' }],
  }),
  usageHours: table(world, 'orchestrator_usage_hours', UsagePeriod, {
    what: 'usage of an hour',
    private: { agent_id: Type.String() },
    key: ['start', 'agent_id'],
    order: ['start'],
  }),
})

export type UsageRow = RowIn<ReturnType<typeof usageTables>['sessions']>
