import type { TriggerDefinition } from './contract.ts'

export const manual: TriggerDefinition = {
  type: 'manual',
  fires: 'by-hand',
  open: () => ({ start: async () => undefined, stop: async () => undefined }),
}
