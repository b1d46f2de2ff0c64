import type { FastifyReply, FastifyRequest } from 'fastify'
import { TITLES, type ProblemBody, type ProblemStatus } from '../../schemas/problem.ts'
import { storageProblem } from '../database/database.ts'
import { noLog, type Log } from '../core/log/log.ts'
import { Problem } from '../core/problem.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** The part of the body that does not depend on HTTP. */
export const problemMembers = ({ status, code, message, errors, retrySecs }: Problem) => ({
  status,
  code,
  detail: message,
  ...(errors ? { errors } : {}),
  ...(retrySecs === undefined ? {} : { retry_after_secs: retrySecs }),
})

/** Omits the query, which may contain a token. */
export function problemBody(problem: Problem, request: Pick<FastifyRequest, 'id' | 'originalUrl'>): ProblemBody {
  return {
    type: 'about:blank',
    title: TITLES[problem.status],
    ...problemMembers(problem),
    instance: request.originalUrl.split('?')[0]!,
    error: problem.message,
    request_id: request.id,
  }
}

/** Converts any thrown value to a Problem. Logs unexpected errors and hides their details. */
export function asProblem(error: unknown, requestId: string, log: Log): Problem {
  const problem = error instanceof Problem ? error : (frameworkProblem(error) ?? storageProblem(error))
  if (problem === null) {
    log.error({ err: error, request_id: requestId }, 'request failed')
    return new Problem(500, `internal error; see the log with request id ${requestId}`, { cause: error })
  }
  if (problem.status >= 500) log.warn({ err: problem.cause ?? problem, request_id: requestId }, 'request refused')
  return problem
}

/** As `asProblem`, for an error that is logged elsewhere. */
export const unloggedProblem = (error: unknown, requestId: string): Problem => asProblem(error, requestId, noLog)

export function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (problem.status === 401) void reply.header('www-authenticate', 'Bearer')
  if (problem.retrySecs !== undefined) void reply.header('retry-after', problem.retrySecs)
  return reply.code(problem.status).type(PROBLEM_TYPE).send(problemBody(problem, request))
}

const FRAMEWORK: Record<string, { status: ProblemStatus; detail: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, detail: 'the body is too large for this address' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    detail: 'the body should be JSON: send Content-Type: application/json',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, detail: 'the body length does not match Content-Length' },
  FST_ERR_BAD_URL: { status: 400, detail: 'the address has a malformed % escape' },
  FST_ERR_MAX_PARAM_LENGTH: {
    status: 404,
    detail: 'a name in the address is too long',
  },
}

function frameworkProblem(error: unknown): Problem | null {
  const { code = '', statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  const known = FRAMEWORK[code]
  if (known) return new Problem(known.status, known.detail, { cause: error })
  if (code.startsWith('FST_') && statusCode !== undefined && statusCode in TITLES && statusCode < 500)
    return new Problem(statusCode as ProblemStatus, (error as Error).message, { cause: error })
  return null
}
