// Rebases and deletions of branches.
import type { Act, ActReply } from '../decision/contract.ts'
import type { ConductorGit } from '../git.ts'

export class GitWrites {
  readonly #git: ConductorGit
  readonly #signal: AbortSignal

  constructor(git: ConductorGit, signal: AbortSignal) {
    this.#git = git
    this.#signal = signal
  }

  async restack({ restack }: Act): Promise<ActReply> {
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

  async deleteBranch({ branch, sha, trunks }: Act): Promise<ActReply> {
    const outcome = await this.#git.deleteBranch({ branch: branch!, head: sha!, trunks: trunks! }, this.#signal)
    if (outcome !== 'moved') return { outcome }
    return { outcome: 'failed', code: 'moved', reason: `branch ${branch} has another head than the merged one` }
  }
}
