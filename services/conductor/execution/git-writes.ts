// Rebases and deletions of branches.
import { Problem } from '../../../platform/core/problem.ts'
import { PushRefused } from '../../../platform/git/rewrite-repository.ts'
import type { Act, ActReply } from '../decision/contract.ts'
import type { ForgeRepository } from '../forge.ts'
import type { ConductorGit } from '../git.ts'

export class GitWrites {
  readonly #git: ConductorGit
  readonly #forge: Pick<ForgeRepository, 'pullRequestsOf'>
  readonly #signal: AbortSignal

  constructor(git: ConductorGit, forge: Pick<ForgeRepository, 'pullRequestsOf'>, signal: AbortSignal) {
    this.#git = git
    this.#forge = forge
    this.#signal = signal
  }

  /** A push that the remote refuses is a conflict of the refused branch: each repeat would be refused, too. */
  async restack(act: Act): Promise<ActReply> {
    try {
      return await this.#restack(act)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === null) throw error
      const number = act.restack!.branches.find(({ branch }) => refusal.branches.includes(branch))?.number
      const reason = refusal.message
      return { outcome: 'failed', code: 'conflict', number, isRefused: true, reason, problem: 'git-failed' }
    }
  }

  async #restack({ restack }: Act): Promise<ActReply> {
    const reply = await this.#git.restack(restack!, this.#signal)
    switch (reply.outcome) {
      case 'conflict': {
        const reason = `conflicts in ${reply.files.slice(0, 10).join(', ') || 'unknown files'}`
        return { outcome: 'failed', code: 'conflict', number: reply.number, reason }
      }
      case 'moved':
        return { outcome: 'failed', code: 'moved', reason: `branch ${reply.branch} has another head` }
      default:
        return reply
    }
  }

  /**
   * Keeps a branch with open pull requests, which the forge would close: the snapshot lacks those opened since. Fails
   * with `moved` or `refused` if a repeat would fail, too.
   */
  async deleteBranch({ number, branch, sha, trunks }: Act): Promise<ActReply> {
    const open = await this.#forge.pullRequestsOf(branch!, this.#signal)
    const other = open.find((each) => each !== number)
    if (other !== undefined) return { outcome: 'unchanged', reason: `#${other} is open and has the branch ${branch}` }
    try {
      const outcome = await this.#git.deleteBranch({ branch: branch!, head: sha!, trunks: trunks! }, this.#signal)
      if (outcome !== 'moved') return { outcome }
      return { outcome: 'failed', code: 'moved', reason: `branch ${branch} has another head than the merged one` }
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === null) throw error
      return { outcome: 'failed', code: 'refused', reason: refusal.message, problem: 'git-failed' }
    }
  }
}

const refusalOf = (error: unknown): PushRefused | null =>
  error instanceof Problem && error.cause instanceof PushRefused ? error.cause : null
