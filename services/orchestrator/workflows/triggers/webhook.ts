// A repeated delivery is a separate task.
import { randomUUID } from 'node:crypto'
import { timestamp } from '../../../../platform/core/clock.ts'
import type { Secret } from '../../../../schemas/secret.ts'
import { taskOfDelivery } from '../webhook-delivery.ts'
import { checkSignature, secretMissing } from '../../../../platform/forge/webhook-signature.ts'
import type { TriggerDefinition } from './contract.ts'

const CHANNEL = 64
const REMEDY = 'set secret in its trigger, or start the daemon with SVC_OPEN_WEBHOOKS=on to accept unsigned deliveries'

export const webhook: TriggerDefinition = {
  type: 'webhook',
  fires: 'pushed',
  open: ({ clock, openWebhooks, accept }, { trigger }) => {
    const secret = trigger.secret as Secret | undefined
    return {
      start: async () => undefined,
      stop: async () => undefined,
      receive: async (delivery) => {
        if (secret) checkSignature(secret, delivery)
        else if (!openWebhooks) throw secretMissing(`the workflow has no webhook secret: ${REMEDY}`)
        const task = await taskOfDelivery(delivery, timestamp(clock), randomUUID())
        await accept([task], { most: CHANNEL })
      },
    }
  },
}
