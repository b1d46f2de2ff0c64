import type { ProblemCode } from '../../schemas/conductor/run.ts'

export type ForgeCode = Extract<ProblemCode, `forge-${string}`>

export interface ForgeFaultOptions {
  /** HTTP status of the answer; 404, too, for GraphQL's NOT_FOUND. */
  status?: number | null
  /** Path of the GraphQL field that failed, for example `repository.pullRequest`. */
  field?: string | null
}

/**
 * `forge-unreachable`: no answer, or 5xx; a write may have had its effect. `forge-limited`: the rate limit.
 * `forge-refused`: 4xx, or GraphQL's equivalent. `forge-unreadable`: an answer that is not as described.
 * `forge-unsupported`: the forge lacks a feature.
 */
export class ForgeFault extends Error {
  override readonly name = 'ForgeFault'
  readonly code: ForgeCode
  readonly status: number | null
  readonly field: string | null

  constructor(code: ForgeCode, message: string, { status, field }: ForgeFaultOptions = {}) {
    super(message)
    this.code = code
    this.status = status ?? null
    this.field = field ?? null
  }
}

/** The part of a GraphQL error that decides its code. */
export interface QueryError {
  type?: unknown
  message?: unknown
  path?: unknown
  extensions?: { code?: unknown } | null
}

const REFUSED = new Set(['NOT_FOUND', 'FORBIDDEN', 'INSUFFICIENT_SCOPES', 'UNAUTHENTICATED'])
const UNSUPPORTED = new Set(['undefinedField', 'argumentNotAccepted', 'undefinedType', 'argumentLiteralsIncompatible'])
const SHOWN = 300

export const isRateLimited = (errors: readonly QueryError[]): boolean =>
  errors.some(({ type }) => type === 'RATE_LIMITED' || type === 'RATE_LIMIT')

/** Fault of an answer with GraphQL errors, of which the first one counts. */
export function queryFault(errors: readonly QueryError[], origin: string): ForgeFault {
  const { type, message, path, extensions } = errors[0] ?? {}
  const status = type === 'NOT_FOUND' ? 404 : null
  const field = Array.isArray(path) ? path.join('.') : undefined
  const what = `the GraphQL query to ${origin} failed${field ? ` at ${field}` : ''} (${String(message).slice(0, SHOWN)})`
  const fault = (code: ForgeCode, remedy: string) => new ForgeFault(code, `${what}: ${remedy}`, { field, status })
  if (status !== null && field === 'repository')
    return fault('forge-refused', `check its name, which may have changed, or ${ACCESS}`)
  if (REFUSED.has(String(type))) return fault('forge-refused', ACCESS)
  if (UNSUPPORTED.has(String(extensions?.code))) return fault('forge-unsupported', 'use a newer version of the forge')
  return fault('forge-unreadable', 'retrying')
}

const ACCESS = 'set SVC_FORGE_TOKEN to a token that may use the repository'

export function statusFault(request: { method: string; url: string }, status: number, message: string): ForgeFault {
  const { origin, pathname } = new URL(request.url)
  const text = `${request.method} ${pathname} of ${origin} answered ${status} (${message}): ${remedyFor(status)}`
  return new ForgeFault(codeOf(status, pathname), text, { status })
}

function codeOf(status: number, pathname: string): ForgeCode {
  if (status >= 500) return 'forge-unreachable'
  return status === 404 && pathname.endsWith('/graphql') ? 'forge-unsupported' : 'forge-refused'
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403) return ACCESS
  if (status === 404) return `check owner and repo, or ${ACCESS}`
  if (status >= 300 && status < 400) return 'use the current name of the repository'
  return 'retrying'
}
