// Routes of named tool policies.
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { listOf, listSchema, PageQuery } from '../../platform/http/lists.ts'
import { shapesOf } from '../../platform/http/schemas.ts'
import { ResourceName } from '../../schemas/kind.ts'
import { PolicyInput, PolicyRecord } from '../../schemas/policy.ts'
import type { Policies } from '../../services/orchestrator/face.ts'
import { checkPolicy } from './parameters.ts'

const Name = Type.Object({ name: ResourceName })
interface Name {
  name: string
}

export function policyRoutes(app: FastifyInstance, policies: Policies): void {
  const shape = shapesOf(app)
  const policy = shape(PolicyRecord)

  app.get<{ Querystring: PageQuery }>(
    '/policies',
    { schema: { summary: 'All named policies', querystring: PageQuery, response: { 200: listSchema(policy) } } },
    async ({ query }) => listOf(await policies.list(), query),
  )

  app.get<{ Params: Name }>(
    '/policies/:name',
    { schema: { summary: 'One named policy', params: Name, response: { 200: policy } } },
    async ({ params }) => policies.get(params.name),
  )

  app.put<{ Params: Name; Body: PolicyInput }>(
    '/policies/:name',
    {
      schema: {
        summary: 'Create or replace a named policy',
        params: Name,
        body: shape(PolicyInput),
        response: { 200: policy, 201: policy },
      },
    },
    async ({ params, body, actor }, reply) => {
      checkPolicy(body)
      const put = await policies.put(params.name, body, actor)
      return reply.code(put.created ? 201 : 200).send(put.policy)
    },
  )

  app.delete<{ Params: Name }>(
    '/policies/:name',
    {
      schema: {
        summary: 'Delete a named policy',
        params: Name,
        response: { 204: { type: 'null', description: 'Deleted' } },
      },
    },
    async ({ params, actor }, reply) => {
      await policies.delete(params.name, actor)
      return reply.code(204).send()
    },
  )
}
