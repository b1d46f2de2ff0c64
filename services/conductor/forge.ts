// The conductor's view of one repository of a forge.
import type { PullRequest, Snapshot } from './snapshot/facts.ts'

export interface MergeRequest {
  number: number
  /** The head that was judged. */
  sha: string
  /** First line of the squashed commit. */
  title: string
}

/** A refused merge: `moved` 409, `refused` 405 with the forge's reason. */
export type MergeReply = { outcome: 'merged'; sha: string } | { outcome: 'moved' | 'refused'; reason: string }

/** Methods throw ForgeFault with a code of PROBLEM_CODES. */
export interface ForgeRepository {
  /** Requests made so far. */
  readonly requests: number
  /** All or nothing. */
  snapshot(signal: AbortSignal): Promise<Snapshot>
  /** Null if it is not open. */
  pullRequest(number: number, signal: AbortSignal): Promise<PullRequest | null>
  /** Numbers of the open pull requests whose base or, unless they are of a fork, whose head is the branch now. */
  pullRequestsOf(branch: string, signal: AbortSignal): Promise<readonly number[]>
  /** Creates a missing label. `unchanged`: it was there. */
  addLabel(number: number, label: string, signal: AbortSignal): Promise<'done' | 'unchanged'>
  /** `unchanged`: it was not there. */
  removeLabel(number: number, label: string, signal: AbortSignal): Promise<'done' | 'unchanged'>
  comment(number: number, text: string, signal: AbortSignal): Promise<void>
  retarget(number: number, base: string, signal: AbortSignal): Promise<void>
  merge(request: MergeRequest, signal: AbortSignal): Promise<MergeReply>
  /** `unchanged`: the head is no longer `sha`, or there is nothing to update. */
  updateBranch(number: number, sha: string, signal: AbortSignal): Promise<'done' | 'unchanged'>
  /** Git address, of `clone_url`; null if it is not https of the site of the API. */
  cloneUrl(signal: AbortSignal): Promise<string | null>
}
