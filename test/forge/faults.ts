// Failures of the fake GitHub, per request.
import type { IncomingHttpHeaders } from 'node:http'

export interface RecordedRequest {
  method: string
  /** Without the base: `/repos/acme/shop/pulls/3/merge`, `/graphql`. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Parsed JSON; null without a body. */
  body: Record<string, unknown> | null
  /** Null: not answered. */
  status: number | null
}

/**
 * `down`: closes the connection, without effect. `lost`: has the effect, closes the connection. `silent`: has the effect,
 * never answers. `late`: has no effect, never answers. `limited`: 403 with an exhausted primary limit, for GraphQL 200
 * with RATE_LIMITED. `forbidden`: GraphQL data without a pull request that the token may not read. `secondary`: 429 with Retry-After. `errors`: GraphQL data with an error beside. `null-node`: GraphQL
 * data whose first node is null. `no-cursor`: a page that has a next one and no cursor. `no-date`: no `Date` header.
 * `nonsense`: no JSON. A number: a status without effect.
 */
export type Failure =
  | 'down'
  | 'lost'
  | 'silent'
  | 'late'
  | 'limited'
  | 'forbidden'
  | 'secondary'
  | 'errors'
  | 'null-node'
  | 'no-cursor'
  | 'no-date'
  | 'nonsense'
  | number

export interface Fault {
  /** Tested against `PUT /repos/acme/shop/pulls/3/merge` or, for GraphQL, `POST /graphql <operation name>`. */
  on: RegExp
  how?: Failure
  /** Runs before the request has its effect; alone or with `how`. */
  before?: () => void
  /** Requests that it applies to. Default 1. */
  times?: number
  /** Matching requests that pass first. Default 0. */
  after?: number
}

export class Faults {
  readonly #faults: (Fault & { times: number; after: number })[] = []

  add(fault: Fault): void {
    this.#faults.push({ times: 1, after: 0, ...fault })
  }

  clear(): void {
    this.#faults.length = 0
  }

  /** Runs `before` of the matching faults; returns the first failure. */
  of(request: RecordedRequest): Failure | null {
    const operation = request.path === '/graphql' ? ` ${operationOf(request.body)}` : ''
    const name = `${request.method} ${request.path}${operation}`
    let failure: Failure | null = null
    for (const fault of this.#faults) {
      if (fault.times === 0 || !fault.on.test(name)) continue
      if (fault.after > 0) {
        fault.after--
        continue
      }
      fault.times--
      fault.before?.()
      failure ??= fault.how ?? null
    }
    return failure
  }
}

export function operationOf(body: Record<string, unknown> | null): string {
  return /\b(?:query|mutation)\s+(\w+)/.exec(String(body?.query ?? ''))?.[1] ?? ''
}
