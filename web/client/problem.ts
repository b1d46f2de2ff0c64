import type { ProblemBody } from '../../schemas/problem.ts'

/** Why a request failed: an error body of the daemon, or a request that got no answer. */
export class RequestProblem extends Error {
  /** HTTP status; 0 without an answer. */
  readonly status: number
  /** Machine-readable code, listed in docs/errors.md. */
  readonly code: string
  readonly requestId: string | null
  /** Errors of single fields, by path. */
  readonly fields: readonly { path: string; message: string }[]

  constructor(status: number, code: string, detail: string, more: Partial<ProblemBody> = {}) {
    super(detail)
    this.name = 'RequestProblem'
    this.status = status
    this.code = code
    this.requestId = more.request_id ?? null
    this.fields = (more.errors ?? []).map(({ path, message }) => ({ path, message }))
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Reads an error body. A body of another program, such as a proxy, becomes a problem that says so. */
export function problemOf(status: number, text: string, requestId: string | null): RequestProblem {
  try {
    const body = JSON.parse(text) as Partial<ProblemBody>
    if (isText(body.code) && isText(body.detail)) return new RequestProblem(status, body.code, body.detail, body)
  } catch {
    // Reported below.
  }
  const detail = `the answer with status ${status} is not from svc: check the address and any proxy in between`
  return new RequestProblem(status, 'foreign-answer', detail, requestId === null ? {} : { request_id: requestId })
}

/** The one next step for a person, by code, else by status. */
const STEPS: Readonly<Record<string, string>> = {
  unreachable: 'Check that the daemon runs, then retry.',
  'already-decided': 'The request has been decided; see by whom above.',
  'stale-plan': 'Review the new plan, then decide again.',
  moved: 'Review the new values, then decide again.',
  delivered: 'The agent has the decision; interrupt the agent instead.',
  'token-missing': 'Sign in with a token of this daemon.',
  'token-unknown': 'Sign in with a token of this daemon.',
  'agent-may-not': 'A person must do this, or the manifest of the agent must grant it in may.',
  'source-suspended': 'Resume the source first.',
  'window-closed': 'Wait until the sync window opens.',
  'managed-by-manifest': 'Change the manifest instead.',
  'limit-reached': 'Wait, then retry.',
}

const STATUS_STEPS: Readonly<Record<number, string>> = {
  400: 'Correct the marked values.',
  401: 'Sign in again.',
  403: 'Ask a person with the required role.',
  404: 'Go back to the list.',
  409: 'Reload the current state, then retry.',
  422: 'Correct the marked values.',
  429: 'Wait, then retry.',
  500: 'Search the daemon log for the request id.',
  503: 'Retry in a moment.',
}

export function nextStep({ code, status }: Pick<RequestProblem, 'code' | 'status'>): string {
  return STEPS[code] ?? STATUS_STEPS[status] ?? 'Retry.'
}

/** True if the caller is known and lacks the permission. */
export const isDenied = (error: unknown): error is RequestProblem =>
  error instanceof RequestProblem && error.status === 403

/** True if the session is missing or over. */
export const isSignedOut = (error: unknown): error is RequestProblem =>
  error instanceof RequestProblem && error.status === 401
