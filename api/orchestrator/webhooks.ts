// The route of webhook deliveries.
import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import { receiveWebhook } from '../../schemas/operations/orchestrator/webhooks.ts'
import type { Webhooks } from '../../services/orchestrator/face.ts'

const NOTHING = Buffer.alloc(0)

export function webhookRoutes(app: FastifyInstance, webhooks: Webhooks): void {
  implement(app, receiveWebhook, ({ params, body, raw: { headers } }) =>
    webhooks.receive(params.workflow_id, { headers, body: Buffer.isBuffer(body) ? body : NOTHING }),
  )
}
