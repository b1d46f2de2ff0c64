// Stops the daemon and, if requested, the agents' sessions.
import type { FastifyInstance } from 'fastify'
import { implement, answer } from '../../platform/http/implement.ts'
import { forbidden } from '../../platform/core/problem.ts'
import { shutDown } from '../../schemas/operations/controller.ts'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

export interface Stoppable {
  stop(options: { agents: boolean }): void
  /** Lock file; removed when everything has stopped. */
  lock: string
}

/** Accepts requests only from this machine. */
export function shutDownRoute(app: FastifyInstance, host: Stoppable): void {
  implement(app, shutDown, async ({ body, raw, onAnswered }) => {
    if (!LOOPBACK.test(raw.socket.remoteAddress ?? ''))
      throw forbidden('the daemon can only be stopped from its own machine')
    const agents = body?.agents ?? false
    onAnswered(() => host.stop({ agents }))
    return answer(202, { status: 'stopping', agents, pid: process.pid, lock: host.lock } as const)
  })
}
