// How a decision and its executor talk: a step yields a request and receives its reply. Steps have no effects of their
// own, so the same steps list the actions of a dry run, whose writes all succeed.
import type { ConductorAction, ConductorCounts, ConductorItem, Situation, Stop } from '../../../schemas/conductor/run.ts'
import type { RoomLock } from '../../../schemas/communicate/message.ts'
import type { Restack } from '../git.ts'
import type { PullRequest, Snapshot } from '../snapshot/facts.ts'

/** Times of reports by key, from the memory of earlier runs. Null: the memory cannot be reached. */
export type Reported = ReadonlyMap<string, number> | null

/** A merge or restack that a crash interrupted. */
export interface Intent {
  kind: 'merge' | 'restack'
  number: number
  /** Head at the time of the intent. */
  head: string
}

export interface Known {
  snapshot: Snapshot
  reported: Reported
  intents: readonly Intent[]
  /** Put before texts that want a person; null: none configured. */
  mention: string | null
}

/** An action without its outcome. `text`: of a message or comment. `items`: numbers of a message's subject. `key`: of the report that it makes. */
export type Act = Omit<ConductorAction, 'outcome'> & {
  text?: string
  items?: readonly number[]
  key?: string
  restack?: Restack
  /** Of a digest: added to the metadata of its message. */
  metadata?: Readonly<Record<string, unknown>>
  /** Of `remember`. */
  memory?: Conclusion
}

/** State of the pipeline at the end of a run. */
export interface Conclusion {
  stopped: Stop | null
  /** The merge queue is blocked. */
  isBlocked: boolean
  counts: ConductorCounts
  /** Times of reports by key, for the next run. */
  reported: ReadonlyMap<string, number>
}

export interface Decided extends Conclusion {
  items: readonly ConductorItem[]
}

export interface ActReply {
  outcome: 'done' | 'unchanged' | 'failed'
  /**
   * Of a failed restack: `conflict`, `moved` (the lease failed). Of a failed merge: `moved` (409), `conflict`, `closed`,
   * `gate`, `not-eligible`. Of a failed post: `missing`, `refused`. Of a lock: `held`. Else `error`.
   */
  code?: 'conflict' | 'moved' | 'closed' | 'gate' | 'not-eligible' | 'missing' | 'refused' | 'held' | 'error'
  reason?: string
  /** Pull request whose commits conflict, of a restack. */
  number?: number
  /** New heads by number after a restack or merge. */
  heads?: ReadonlyMap<number, string>
  lock?: RoomLock
}

/** Reads a pull request again; a dry run answers with the snapshot. */
export interface Reread {
  reread: number
}

export type Request = { act: Act } | Reread
/** Reply to `act`: ActReply. Reply to `reread`: the pull request, null if it is no longer open. */
export type Reply = ActReply | PullRequest | null
export type Step<Result = void> = Generator<Request, Result, Reply>

export type { Situation }
