// `health`, which every group of a service has.
import { common, health } from '../../schemas/operations/health.ts'
import type { OperationGroup } from '../../schemas/operations/operation.ts'
import type { CommandEntry } from '../program.ts'
import { verb } from '../verb.ts'

/** `name` is the group's own: `ask`. Exits with 1 unless the service is well. */
export const healthVerb = (name: string, group: OperationGroup, summary: string): CommandEntry =>
  verb('health', common(group), health, {
    summary,
    examples: [`agent ${name} health`],
    exit: ({ status }) => (status === 'ok' ? 0 : 1),
  })
