import type { FastifyInstance } from 'fastify'
import { implement } from '../platform/http/implement.ts'
import * as operations from '../schemas/operations/ask.ts'
import type { Ask } from '../services/ask/face.ts'

export function askRoutes(app: FastifyInstance, ask: Ask): void {
  implement(app, operations.trigger, () => ask.trigger())
  implement(app, operations.answerQuestion, ({ body }) => ask.answer(body))
  implement(app, operations.listQuestions, ({ query, part }) => ask.list({ status: query.status }, part))
  implement(app, operations.getQuestion, ({ params }) => ask.get(params.id))
}
