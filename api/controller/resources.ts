// Routes of resources, drift, export and events.
import type { FastifyInstance } from 'fastify'
import type { Controller } from '../../controller/face.ts'
import { implement, WithText } from '../../platform/http/implement.ts'
import { asOneText } from '../../schemas/manifest/export.ts'
import { kinds } from '../../schemas/kinds.ts'
import { blameResource } from '../../schemas/operations/gitops/blame.ts'
import { resumeResource, suspendResource } from '../../schemas/operations/gitops/contest.ts'
import {
  acceptDrift,
  listDrift,
  planDriftRevert,
  planResourceRevert,
  revertDrift,
  revertDriftedField,
} from '../../schemas/operations/gitops/drift.ts'
import { getResource, listResources } from '../../schemas/operations/gitops/resources.ts'
import * as operations from '../../schemas/operations/controller.ts'

export function resourceRoutes(app: FastifyInstance, controller: Controller): void {
  implement(app, listResources, ({ query: { q, kind, source, status, labels, sort }, page, cursor }) => {
    const filter = { q, kind, source, status, labels, sort }
    return cursor ? controller.resourceSlice(filter, cursor) : controller.resources(filter, page)
  })
  implement(app, getResource, ({ params }) => controller.resource(params.kind, params.name))
  implement(app, blameResource, ({ params, query }) => controller.blame(params.kind, params.name, query.path))
  implement(app, suspendResource, ({ params, actor }) => controller.suspendResource(params.kind, params.name, actor))
  implement(app, resumeResource, ({ params }) => controller.resumeResource(params.kind, params.name))
  implement(app, listDrift, ({ query: { kind, name, open, since, until, actor }, page, cursor }) => {
    const filter = { kind, name, open, since, until, actor }
    return cursor ? controller.driftSlice(filter, cursor) : controller.drift(filter, page)
  })
  implement(app, planDriftRevert, ({ params }) => controller.planFieldRevert(params.id))
  implement(app, revertDriftedField, ({ params, body, actor }) =>
    controller.revertField({ id: params.id, planHash: body?.plan_hash }, actor),
  )
  implement(app, planResourceRevert, ({ params }) => controller.planRevert(params.kind, params.name))
  implement(app, revertDrift, ({ params, body, actor }) =>
    controller.revert(params.kind, params.name, actor, body?.plan_hash),
  )
  implement(app, acceptDrift, ({ params }) => controller.accept(params.kind, params.name))
  implement(app, operations.exportLive, async ({ query: { kind } }) => {
    const exported = await controller.exportManifests(kind)
    return new WithText(exported, () => asOneText(exported, kinds))
  })
  implement(app, operations.watchEvents, () => (listener) => controller.events(listener))
}
