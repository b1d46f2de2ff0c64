import { common, health } from '../../schemas/operations/health.ts'
import type { OperationGroup } from '../../schemas/operations/operation.ts'
import type { CommandEntry } from '../program.ts'
import { verb } from '../verb.ts'

/** `name` is the command group: `ask`. Exits with 1 unless the status is ok. */
export const healthVerb = (name: string, group: OperationGroup, summary: string): CommandEntry =>
  verb('health', common(group), health, {
    summary,
    examples: [`agent ${name} health`],
    exit: ({ status }) => (status === 'ok' ? 0 : 1),
  })
