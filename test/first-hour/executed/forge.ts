// A forge with the repository acme/shop, for the commands of the conductor.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGitHub, type GitHub } from '../../forge/github.ts'

const REPOSITORY = 'acme/shop'
const ISSUES = 11

export class ShopForge {
  readonly #folder: string
  readonly #github: GitHub

  private constructor(folder: string, github: GitHub) {
    this.#folder = folder
    this.#github = github
  }

  static async start(): Promise<ShopForge> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-shop-'))
    const bare = join(folder, `${REPOSITORY}.git`)
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=mia', '-c', 'user.email=mia@example.org', ...words], { stdio: 'pipe' })
    const work = join(folder, 'work')
    git('init', '--quiet', '--bare', '--initial-branch=main', bare)
    git('init', '--quiet', '--initial-branch=main', work)
    for (const branch of ['main', 'change']) {
      git('-C', work, 'commit', '--quiet', '--allow-empty', '-m', `Start ${branch}`)
      git('-C', work, 'push', '--quiet', bare, `HEAD:refs/heads/${branch}`)
    }
    const github = await startGitHub({ repository: REPOSITORY, git: bare, now: Date.now })
    for (let number = 1; number <= ISSUES; number++) github.issue({ title: `Issue ${number}` })
    return new ShopForge(folder, github)
  }

  /** For the daemon. */
  get env(): Record<string, string> {
    return {
      SVC_FORGE_API_URL: this.#github.url,
      SVC_FORGE_TOKEN: this.#github.token,
      SVC_CONDUCTOR_REPOSITORY: REPOSITORY,
      SVC_CONDUCTOR_REMOTE: `file://${this.#folder}/{owner}/{name}.git`,
    }
  }

  /** Opens the pull request 12, approved and with a successful check. */
  openPullRequest(): void {
    if (this.#github.items.size > ISSUES) return
    const number = this.#github.pullRequest({ branch: 'change', base: 'main', title: 'Change the shop' })
    this.#github.review(number, 'APPROVED')
    this.#github.check(number, { name: 'build' })
  }

  async close(): Promise<void> {
    await this.#github.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
