// How a decision and its executor talk: a step yields a request and receives its reply. Steps have no effects of their
// own, so the same steps list the actions of a dry run, whose writes all succeed.
import type {
  ConductorAction,
  ConductorCounts,
  Health,
  ProblemCode,
  Situation,
  Stop,
} from '../../../schemas/conductor/run.ts'
import type { RoomLock } from '../../../schemas/communicate/message.ts'
import type { Restack } from '../git.ts'
import type { PullRequest, Snapshot } from '../snapshot/facts.ts'

/** Times of reports by key, from the memory of earlier runs. Null: the memory cannot be reached. */
export type Reported = ReadonlyMap<string, number> | null

/** A merge, from before it is requested until its dependents have moved, its branch is deleted and it is announced. */
export interface Intent {
  number: number
  /** The merged head. */
  head: string
  /** Time of the run that requested it. */
  at: number
  /** It was announced, or a conflict of a dependent is escalated instead. */
  isReported?: boolean
}

/** What a run starts from. */
export interface DecisionInput {
  snapshot: Snapshot
  reported: Reported
  intents: readonly Intent[]
  /** Lines of changes that no digest has reported, because a run was interrupted. */
  transitions?: readonly string[]
  /** Put before texts that want a person; null: none configured. */
  mention: string | null
}

/** What the memory keeps of a run. `reported` null: the memory could not be read, so nothing may be written: failed. */
export interface RunRecord {
  status: 'done' | 'stopped'
  health: Health
  stopped: Stop | null
  counts: ConductorCounts
  reported: Reported
}

export interface Digest {
  counts: ConductorCounts
  /** One line each; bounded, so that they fit into the metadata of a message. */
  transitions: readonly string[]
}

/**
 * An action without its outcome. `text`: of a message or comment; of a merge: first line of its commit. `items`: numbers
 * of a message's subject. `key`: of the report that it makes. `digest`: of the post `digest`. `record`: of `remember`.
 * `trunks`: of `delete-branch`, see Restack.
 */
export type Act = Omit<ConductorAction, 'outcome'> & {
  text?: string
  items?: readonly number[]
  key?: string
  /** Text that a message's id is derived from, instead of its key, or its subject and number. */
  id?: string
  restack?: Restack
  digest?: Digest
  record?: RunRecord
  trunks?: readonly string[]
}

export interface ActReply {
  outcome: 'done' | 'unchanged' | 'failed'
  /**
   * Of a failed restack: `conflict`, `moved` (the lease failed). Of a failed merge: `moved` (409), `conflict`, `closed`,
   * `gate`, `not-eligible`. Of a failed deletion: `moved`, `refused`. Of a failed post: `missing`, `refused`. Of a lock:
   * `held`. Of other writes: `closed`, `moved`. Else `error`.
   */
  code?: 'conflict' | 'moved' | 'closed' | 'gate' | 'not-eligible' | 'missing' | 'refused' | 'held' | 'error'
  reason?: string
  /** Of the run, if the action failed for it. */
  problem?: ProblemCode
  /** Of a conflict: the pull request of the stack with the conflicting commits; undefined: the one of the action. */
  number?: number
  /** Of a conflict: the rebase succeeded, and the remote refuses its push. */
  isRefused?: boolean
  /** New heads by number after a restack; undefined: every branch of the restack has a new head. */
  heads?: ReadonlyMap<number, string>
  lock?: RoomLock
}

/** Reads a pull request again; a dry run answers with `seen`. */
export interface Reread {
  reread: number
  /** The pull request with the changes of this run. */
  seen: PullRequest
  /** Milliseconds to wait before reading. */
  delay: number
}

/** Stores an intent, or deletes it when nothing is left to do. Dry runs do neither. */
export type IntentChange = { open: Intent } | { close: Intent }

export type Request = { act: Act } | Reread | IntentChange
/** Reply to `act`: ActReply. Reply to `reread`: the pull request, null if it is no longer open. Other replies: null. */
export type Reply = ActReply | PullRequest | null
export type Step<Result = void> = Generator<Request, Result, Reply>

export type { Situation }
