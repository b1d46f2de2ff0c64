// The conductor's own clone of a repository.

export interface StackedBranch {
  number: number
  branch: string
  /** The head that was read: the lease of the push. */
  head: string
  /** Pull request below it in the same restack; null: the first one, which moves onto `onto`. */
  parent: number | null
}

export interface Restack {
  /** New base branch. */
  onto: string
  /** The merged pull request, whose head is the old base. */
  merged: { number: number; head: string }
  /** Bottom first. */
  branches: readonly StackedBranch[]
  /** Main and the pipeline base, which are never rewritten. */
  trunks: readonly string[]
}

/** Deletion of a branch with this head. `trunks`: see Restack. */
export interface Deletion {
  branch: string
  head: string
  trunks: readonly string[]
}

/** `unchanged`: already part of the new base. `moved`: a lease failed, nothing was pushed. */
export type RestackReply =
  | { outcome: 'done' | 'unchanged'; heads: ReadonlyMap<number, string> }
  | { outcome: 'conflict'; number: number; files: readonly string[] }
  | { outcome: 'moved'; branch: string }

/**
 * Methods throw a Problem with code `git-failed`, also for a trunk. A failed or conflicting restack leaves no trace in
 * the clone.
 */
export interface ConductorGit {
  restack(restack: Restack, signal: AbortSignal): Promise<RestackReply>
  /** `unchanged`: it was not there. `moved`: its head is another. */
  deleteBranch(deletion: Deletion, signal: AbortSignal): Promise<'done' | 'unchanged' | 'moved'>
}
