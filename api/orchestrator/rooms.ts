import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import { previewWakes } from '../../schemas/operations/orchestrator/room-wakes.ts'
import type { Orchestrator } from '../../services/orchestrator/face.ts'

export function roomRoutes(app: FastifyInstance, rooms: Orchestrator['rooms']): void {
  implement(app, previewWakes, ({ params, body }) => rooms.wakes(params.id, body))
}
