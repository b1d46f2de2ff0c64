// POST /shutdown: ends the daemon, and with it the agents' sessions when asked to.
import type { FastifyInstance } from 'fastify'
import { implement, answer } from '../../platform/http/implement.ts'
import { forbidden } from '../../platform/core/problem.ts'
import { shutDown } from '../../schemas/operations/controller.ts'

const FROM_HERE = /^(127\.|::1$|::ffff:127\.)/

export interface Stoppable {
  stop(options: { agents: boolean }): void
  /** File that is there until everything has stopped. */
  lock: string
}

/** From this machine alone, and with the role admin when tokens are on. */
export function shutDownRoute(app: FastifyInstance, host: Stoppable): void {
  implement(app, shutDown, async ({ body, raw, onAnswered }) => {
    if (!FROM_HERE.test(raw.socket.remoteAddress ?? ''))
      throw forbidden('the daemon is stopped from its own machine alone')
    const agents = body?.agents ?? false
    onAnswered(() => host.stop({ agents }))
    return answer(202, { status: 'stopping', agents, pid: process.pid, lock: host.lock } as const)
  })
}
