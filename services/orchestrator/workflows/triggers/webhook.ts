// A repeated delivery is a separate task.
import { randomUUID } from 'node:crypto'
import { timestamp } from '../../../../platform/core/clock.ts'
import type { Secret } from '../../../../schemas/secret.ts'
import type { WebhookMatch } from '../../../../schemas/workflow/webhook-match.ts'
import { factsOf, readDelivery, taskOfDelivery } from '../webhook-delivery.ts'
import { mismatchOf } from '../webhook-mismatch.ts'
import { checkSignature, secretMissing } from '../../../../platform/forge/webhook-signature.ts'
import type { TriggerDefinition } from './contract.ts'

const CHANNEL = 64
const REMEDY = 'set secret in its trigger, or start the daemon with SVC_OPEN_WEBHOOKS=on to accept unsigned deliveries'

export const webhook: TriggerDefinition = {
  type: 'webhook',
  fires: 'pushed',
  open: ({ clock, openWebhooks, accept, unfired }, { trigger }) => {
    const secret = trigger.secret as Secret | undefined
    const match = trigger.match as WebhookMatch | undefined
    return {
      start: async () => undefined,
      stop: async () => undefined,
      receive: async (delivery) => {
        if (secret) checkSignature(secret, delivery)
        else if (!openWebhooks) throw secretMissing(`the workflow has no webhook secret: ${REMEDY}`)
        const read = await readDelivery(delivery)
        const facts = await factsOf(delivery, 202)
        const mismatch = match === undefined ? null : mismatchOf(match, read)
        if (mismatch !== null) unfired({ outcome: 'filtered', reason: mismatch, delivery: facts })
        else {
          const task = taskOfDelivery(read, timestamp(clock), randomUUID())
          await accept([task], { most: CHANNEL, delivery: facts })
        }
        return mismatch
      },
    }
  },
}
