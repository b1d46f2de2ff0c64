// `agent orchestrator approve`: lets a held tool request go on.
import type { Command } from 'commander'
import { withExamples } from '../../options.ts'
import { decide, withDecision } from './decide.ts'

export function define(command: Command): void {
  withExamples(withDecision(command), 'agent orchestrator approve 1f3c9a2b --reason "checked by hand"').action(
    decide('approve'),
  )
}
