import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import { tokenHolders } from '../../platform/http/tokens.ts'
import { listTokens } from '../../schemas/operations/gitops/tokens.ts'

/** `file`: the tokens file, which need not exist. */
export function tokenRoute(app: FastifyInstance, file: string): void {
  implement(app, listTokens, async () => tokenHolders(file))
}
