import { join } from 'node:path'
import { Problem } from '../../../platform/core/problem.ts'
import { BranchClone } from '../../../platform/git/branch-clone.ts'
import { RemoteError } from '../../../platform/git/mirror.ts'
import type { ConductorGit } from '../git.ts'
import { deleteBranch, restackBranches } from './branch-updates.ts'
import { remoteAddress, type RemoteOptions } from './remote-address.ts'

export interface ConductorGitOptions extends RemoteOptions {
  dataDir: string
  home: string
  /** Has the token: SVC_FORGE_TOKEN, else GITHUB_TOKEN. */
  env: Readonly<Record<string, string | undefined>>
}

const COMMITTER = { name: 'svc conductor', email: 'svc@localhost' }
/** Installation tokens of GitHub need this name; other tokens accept any. */
const USERNAME = 'x-access-token'

/** Makes the clone, below `dataDir`, when it is first needed. Call one method of a repository at a time. */
export function openConductorGit(options: ConductorGitOptions): ConductorGit {
  let opened: BranchClone | null = null
  const run = async <T>(signal: AbortSignal, work: (clone: BranchClone) => Promise<T>): Promise<T> => {
    try {
      opened ??= branchClone(options, await remoteAddress(options, signal))
      return await work(opened)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof RemoteError || error instanceof Problem)) throw error
      throw new Problem(503, error.message, { code: 'git-failed', cause: error })
    }
  }
  return {
    restack: (restack, signal) => run(signal, (clone) => restackBranches(clone, restack, signal)),
    deleteBranch: (deletion, signal) => run(signal, (clone) => deleteBranch(clone, deletion, signal)),
  }
}

function branchClone({ owner, name, dataDir, home, env }: ConductorGitOptions, url: string): BranchClone {
  const passwordVariable = !env.SVC_FORGE_TOKEN && env.GITHUB_TOKEN ? 'GITHUB_TOKEN' : 'SVC_FORGE_TOKEN'
  return new BranchClone({
    url,
    env,
    home,
    credentials: { username: USERNAME, passwordVariable },
    committer: COMMITTER,
    folder: join(dataDir, 'conductor', owner.toLowerCase(), name.toLowerCase()),
  })
}
