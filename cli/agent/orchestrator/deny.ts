// `agent orchestrator deny`: refuses a held tool request.
import type { Command } from 'commander'
import { withExamples } from '../../options.ts'
import { decide, withDecision } from './decide.ts'

export function define(command: Command): void {
  withExamples(withDecision(command), 'agent orchestrator deny 1f3c9a2b --reason "checked by hand"').action(
    decide('deny'),
  )
}
