// Adds hints to problems about ids, because people often pass names.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { nearest } from '../../schemas/validation/nearest.ts'
import { Problem } from '../core/problem.ts'
import { addressesOf } from './methods.ts'

export interface Named {
  id: string
  name: string
}

/** Lists a collection; empty if its items have no names. */
export type NamedIn = (collection: string) => Promise<readonly Named[]>

const MOST_IDS = 8

export async function withMeantId(
  problem: Problem,
  request: FastifyRequest,
  app: FastifyInstance,
  named: NamedIn,
): Promise<Problem> {
  const asked = askedFor(problem, request)
  if (asked === null) return problem
  const { collection, given } = asked
  const known = await named(collection).catch(() => [])
  const next =
    meant(given, known) ?? (app.hasRoute({ method: 'GET', url: `/${collection}` }) ? listed(request, collection) : null)
  if (next === null) return problem
  const { status, code, errors, cause } = problem
  return new Problem(status, `${problem.message}; ${next}`, { code, errors, cause })
}

/** Applies to malformed and unknown ids. */
function askedFor(problem: Problem, request: FastifyRequest): { collection: string; given: string } | null {
  const isIllFormed =
    problem.status === 400 && (problem as { validationContext?: string }).validationContext === 'params'
  if (!isIllFormed && problem.code !== 'not-found') return null
  const { id, agent_id: agentId } = (request.params ?? {}) as Record<string, string | undefined>
  if (agentId !== undefined) return { collection: 'agents', given: agentId }
  const collection = request.routeOptions.url?.split('/')[1]
  return id === undefined || !collection ? null : { collection, given: id }
}

function meant(given: string, known: readonly Named[]): string | null {
  const ids = known.filter(({ name }) => name === given).map(({ id }) => id)
  const more = ids.length > MOST_IDS ? ` and ${ids.length - MOST_IDS} more` : ''
  if (ids.length > 0)
    return `"${given}" is a name; its id${ids.length === 1 ? ' is' : 's are'} ${ids.slice(0, MOST_IDS).join(', ')}${more}`
  const name = nearest(
    given,
    known.map((each) => each.name),
  )
  const near = known.find((each) => each.name === name)
  if (near) return `did you mean "${near.name}", with the id ${near.id}?`
  const id = nearest(
    given,
    known.map((each) => each.id),
  )
  return id === null ? null : `did you mean "${id}"?`
}

const listed = (request: FastifyRequest, collection: string): string =>
  `GET ${addressesOf(request).before}/${collection} lists them`
