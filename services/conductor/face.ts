import type { LabelReply, LabelRequest, RunRequest } from '../../schemas/conductor/request.ts'
import type { ConductorRun } from '../../schemas/conductor/run.ts'
import type { Listed, Part } from '../../platform/store/page.ts'

export interface RunFilter {
  repository?: string | undefined
  /** Beginning of the id. */
  id?: string | undefined
}

export interface Conductor {
  /**
   * Resolves at the end of the run. Requests during a run share the next one; dry runs share the one in progress.
   * Throws 409 `conductor-unconfigured` without a repository, 503 while another daemon keeps running the same one.
   */
  run(request: RunRequest): Promise<ConductorRun>
  /** Whether it is the repository of the settings; undefined is. */
  isConfigured(repository: string | undefined): boolean
  /** Newest first. */
  list<P extends Part>(filter: RunFilter, part: P): Promise<Listed<ConductorRun, P>>
  /** Throws 404. */
  get(id: string): Promise<ConductorRun>
  /** Throws 409 `not-eligible` with the rules that fail, and 503 if the forge cannot be used. */
  addLabel(number: number, request: LabelRequest): Promise<LabelReply>
}
