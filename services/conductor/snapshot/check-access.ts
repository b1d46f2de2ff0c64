// Whether the token may read checks. GitHub gives fine-grained tokens no permission for those of private repositories.
import { ForgeFault } from '../../../platform/forge/forge.ts'
import type { QueryWorld } from './nested.ts'

const SUITES = 'GET /repos/{owner}/{repo}/commits/{ref}/check-suites'
/** Fields of a query that need the permission. */
const CHECK_FIELDS = /\b(statusCheckRollup|suites)\b/

interface Repository {
  owner: string
  name: string
  isPrivate: boolean
}

export class CheckAccess {
  readonly #world: QueryWorld
  readonly #repository: Repository
  #isGranted: Promise<boolean> | null = null
  /** Why checks cannot be read; null: they can, or nothing depends on it. */
  refusal: string | null = null

  constructor(world: QueryWorld, repository: Repository) {
    this.#world = world
    this.#repository = repository
  }

  /**
   * Call for a head without check suites: a list without those that the token may not read looks like an empty one.
   * Sends one request at most, and none for a public repository.
   */
  isGranted(head: string): Promise<boolean> {
    if (!this.#repository.isPrivate) return Promise.resolve(true)
    return (this.#isGranted ??= this.#request(head))
  }

  async #request(head: string): Promise<boolean> {
    const { forge, call } = this.#world
    const { owner, name } = this.#repository
    try {
      await forge.read(SUITES, { owner, repo: name, ref: head, per_page: 1 }, call)
      return true
    } catch (error) {
      if (!(error instanceof ForgeFault) || error.code !== 'forge-refused') throw error
      this.refusal = `${error.message}. ${REMEDY}`
      return false
    }
  }
}

const REMEDY =
  'The token may not read checks: use a classic token, or one of a GitHub App with the permission "Checks: read"'

/** The same error, with the remedy if the forge refused a query because of its checks. */
export function withCheckRemedy(error: unknown): unknown {
  if (!(error instanceof ForgeFault) || error.code !== 'forge-refused') return error
  const { code, message, status, field } = error
  return CHECK_FIELDS.test(field ?? '') ? new ForgeFault(code, `${message}. ${REMEDY}`, { status, field }) : error
}
