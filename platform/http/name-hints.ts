// What is said of an id that leads to nothing: people give the name of a thing where its id is wanted.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { nearest } from '../../schemas/validation/nearest.ts'
import { Problem } from '../core/problem.ts'

/** What has an id and a name. */
export interface Named {
  id: string
  name: string
}

/** What there is in a collection (`agents`); nothing for one whose members have no names. */
export type NamedIn = (collection: string) => Promise<readonly Named[]>

/** Ids told of those that have a name in common. */
const MOST_TOLD = 8

/** The refusal of a path's id, with the one that was meant, or where they are listed; any other problem as it is. */
export async function withMeantId(
  problem: Problem,
  request: FastifyRequest,
  app: FastifyInstance,
  named: NamedIn,
): Promise<Problem> {
  const asked = askedFor(problem, request)
  if (asked === null) return problem
  const { collection, given } = asked
  // Who cannot be told what there is, is told the rest all the same.
  const known = await named(collection).catch(() => [])
  const next =
    meant(given, known) ?? (app.hasRoute({ method: 'GET', url: `/${collection}` }) ? listed(collection) : null)
  if (next === null) return problem
  const { status, code, errors, cause } = problem
  return new Problem(status, `${problem.message}; ${next}`, { code, errors, cause })
}

/** Of an ill-formed id, and of a thing that does not exist. */
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
  const more = ids.length > MOST_TOLD ? ` and ${ids.length - MOST_TOLD} more` : ''
  if (ids.length > 0)
    return `"${given}" is a name, of the id${ids.length === 1 ? '' : 's'} ${ids.slice(0, MOST_TOLD).join(', ')}${more}`
  const name = nearest(
    given,
    known.map((each) => each.name),
  )
  const near = known.find((each) => each.name === name)
  if (near) return `did you mean "${near.name}", of the id ${near.id}?`
  const id = nearest(
    given,
    known.map((each) => each.id),
  )
  return id === null ? null : `did you mean "${id}"?`
}

const listed = (collection: string): string => `GET /${collection} lists those there are`
