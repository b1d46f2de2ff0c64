import type { LabelReply, LabelRequest, RunRequest } from '../../schemas/conductor/request.ts'
import type { ConductorRun } from '../../schemas/conductor/run.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'

export interface Conductor {
  /**
   * Resolves at the end of the run. Requests during a run share the next one. Throws 409 `conductor-unconfigured`
   * without a repository, 503 while another daemon keeps running the same repository.
   */
  run(request: RunRequest): Promise<ConductorRun>
  /** Newest first. */
  list(filter: { repository?: string | undefined }, part: Partial<PageLimits>): Promise<Page<ConductorRun>>
  /** Throws 404. */
  get(id: string): Promise<ConductorRun>
  /** Throws 409 `not-eligible` with the rules that fail, and 503 if the forge cannot be used. */
  addLabel(number: number, request: LabelRequest): Promise<LabelReply>
}
