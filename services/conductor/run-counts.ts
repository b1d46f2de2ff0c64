// Figures for metrics since the start.
import { ACTION_NAMES, RUN_STATUSES, type ConductorRun } from '../../schemas/conductor/run.ts'

const zeros = (names: readonly string[]): Record<string, number> => Object.fromEntries(names.map((name) => [name, 0]))

export class RunCounts {
  readonly runs = zeros(RUN_STATUSES)
  readonly actions = zeros(ACTION_NAMES)

  add({ status, actions }: Pick<ConductorRun, 'status' | 'actions'>): void {
    this.runs[status]!++
    for (const { action, outcome } of actions) if (outcome === 'done') this.actions[action]!++
  }
}
