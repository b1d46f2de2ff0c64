// A repeated delivery is a separate task.
import { randomUUID } from 'node:crypto'
import { timestamp } from '../../../../platform/core/clock.ts'
import type { Secret } from '../../../../schemas/secret.ts'
import { taskOfDelivery } from '../webhook-delivery.ts'
import { checkSignature } from '../../../../platform/forge/webhook-signature.ts'
import type { TriggerDefinition } from './contract.ts'

const CHANNEL = 64

export const webhook: TriggerDefinition = {
  type: 'webhook',
  fires: 'pushed',
  open: ({ clock, accept }, { trigger }) => {
    const secret = trigger.secret as Secret | undefined
    return {
      start: async () => undefined,
      stop: async () => undefined,
      receive: async (delivery) => {
        if (secret) checkSignature(secret, delivery)
        const task = await taskOfDelivery(delivery, timestamp(clock), randomUUID())
        await accept([task], { most: CHANNEL })
      },
    }
  },
}
