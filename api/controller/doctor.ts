import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import { checkMachine, type Check } from '../../schemas/operations/gitops/doctor.ts'

export function doctorRoute(app: FastifyInstance, check: () => Promise<Check[]>): void {
  implement(app, checkMachine, check)
}
