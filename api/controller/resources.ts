// Routes of resources, drift, export and events.
import type { FastifyInstance } from 'fastify'
import type { Controller } from '../../controller/face.ts'
import { implement, WithText } from '../../platform/http/implement.ts'
import { asOneText } from '../../schemas/manifest/export.ts'
import { kinds } from '../../schemas/kinds.ts'
import { blameResource } from '../../schemas/operations/gitops/blame.ts'
import { resumeResource, suspendResource } from '../../schemas/operations/gitops/contest.ts'
import * as operations from '../../schemas/operations/controller.ts'

export function resourceRoutes(app: FastifyInstance, controller: Controller): void {
  implement(app, operations.listResources, ({ query: { kind, source, status }, page }) =>
    controller.resources({ kind, source, status }, page),
  )
  implement(app, operations.getResource, ({ params }) => controller.resource(params.kind, params.name))
  implement(app, blameResource, ({ params, query }) => controller.blame(params.kind, params.name, query.path))
  implement(app, suspendResource, ({ params, actor }) => controller.suspendResource(params.kind, params.name, actor))
  implement(app, resumeResource, ({ params }) => controller.resumeResource(params.kind, params.name))
  implement(app, operations.listDrift, ({ query: { kind, name, open }, page }) =>
    controller.drift({ kind, name, open }, page),
  )
  implement(app, operations.revertDrift, ({ params, actor }) => controller.revert(params.kind, params.name, actor))
  implement(app, operations.acceptDrift, ({ params }) => controller.accept(params.kind, params.name))
  implement(app, operations.exportLive, async ({ query: { kind } }) => {
    const exported = await controller.exportManifests(kind)
    return new WithText(exported, () => asOneText(exported, kinds))
  })
  implement(app, operations.watchEvents, () => (listener) => controller.events(listener))
}
