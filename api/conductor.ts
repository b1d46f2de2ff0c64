import type { FastifyInstance } from 'fastify'
import { implement } from '../platform/http/implement.ts'
import * as operations from '../schemas/operations/conductor.ts'
import type { Conductor } from '../services/conductor/face.ts'

export function conductorRoutes(app: FastifyInstance, conductor: Conductor): void {
  implement(app, operations.createRun, ({ body = {}, raw }) => {
    // Set for a dry run only: it spends the token of the daemon, which others than the agents of the conductor may not
    // direct to a repository of their choice.
    if (raw.guardRefusal !== null && !conductor.isConfigured(body.repository)) throw raw.guardRefusal
    return conductor.run(body)
  })
  implement(app, operations.listRuns, ({ query, page, cursor }) =>
    conductor.list(query, cursor ?? page ?? { limit: operations.LISTED_RUNS, offset: 0 }),
  )
  implement(app, operations.getRun, ({ params }) => conductor.get(params.id))
  implement(app, operations.addItemLabel, ({ params, body }) => conductor.addLabel(Number(params.number), body))
}
