// `manual`: tasks come by `POST /workflows/{id}/trigger` and in no other way.
import { TRIGGER_VARIABLES, TRIGGERS } from '../../../../schemas/trigger.ts'
import type { TriggerDefinition } from './contract.ts'

export const manual: TriggerDefinition = {
  type: 'manual',
  schema: TRIGGERS.manual,
  variables: TRIGGER_VARIABLES.manual,
  fires: 'by-hand',
  open: () => ({ start: async () => undefined, stop: async () => undefined }),
}
