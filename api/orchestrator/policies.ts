// Routes of named policies.
import type { FastifyInstance } from 'fastify'
import { answer, implement } from '../../platform/http/implement.ts'
import * as operations from '../../schemas/operations/orchestrator/policies.ts'
import type { Orchestrator } from '../../services/orchestrator/face.ts'

export function policyRoutes(app: FastifyInstance, { policies, policyTests }: Orchestrator): void {
  implement(app, operations.listPolicies, () => policies.list())
  implement(app, operations.getNamedPolicy, ({ params }) => policies.get(params.name))
  implement(app, operations.putNamedPolicy, async ({ params, body, actor }) => {
    const { policy, created } = await policies.put(params.name, body, actor)
    return answer(created ? 201 : 200, policy)
  })
  implement(app, operations.deleteNamedPolicy, ({ params, actor }) => policies.delete(params.name, actor))
  implement(app, operations.testPolicy, ({ body, actor }) => policyTests.run(body, actor))
}
