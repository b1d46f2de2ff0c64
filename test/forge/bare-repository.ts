// Git side of the fake GitHub: a bare repository on disk, whose branches are those of the forge.
import { spawnSync } from 'node:child_process'

export class BareRepository {
  readonly #path: string
  readonly #now: () => number
  readonly #dates = new Map<string, number>()
  readonly #merges = new Map<string, string | null>()
  readonly #ancestors = new Map<string, boolean>()

  constructor(path: string, now: () => number) {
    this.#path = path
    this.#now = now
  }

  branches(): Map<string, string> {
    const lines = this.#git('for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads').split('\n')
    return new Map(lines.filter(Boolean).map((line) => [line.slice(line.indexOf(' ') + 1), line.split(' ')[0]!]))
  }

  mainBranch(): string {
    return this.#git('symbolic-ref', '--short', 'HEAD')
  }

  /** Committer date in milliseconds; a commit that does not exist has the current time. */
  dateOf(commit: string): number {
    let date = this.#dates.get(commit)
    if (date === undefined) {
      const { status, stdout } = this.#run('show', '--no-patch', '--format=%ct', commit)
      if (status !== 0) return this.#now()
      this.#dates.set(commit, (date = Number(stdout) * 1000))
    }
    return date
  }

  isAncestor(commit: string, of: string): boolean {
    const key = `${commit} ${of}`
    if (!this.#ancestors.has(key))
      this.#ancestors.set(key, this.#run('merge-base', '--is-ancestor', commit, of).status === 0)
    return this.#ancestors.get(key)!
  }

  /** Tree of the merge; null if it conflicts. */
  mergeTree(base: string, head: string): string | null {
    const key = `${base} ${head}`
    if (!this.#merges.has(key)) {
      const { status, stdout } = this.#run('merge-tree', '--write-tree', base, head)
      this.#merges.set(key, status === 0 ? stdout.trim().split('\n')[0]! : null)
    }
    return this.#merges.get(key)!
  }

  /** Makes a commit of `tree` and moves the branch, which must be at the first parent; returns the commit. */
  commit(branch: string, tree: string, parents: readonly string[], message: string): string {
    const commit = this.#git('commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', message)
    this.#git('update-ref', `refs/heads/${branch}`, commit, parents[0]!)
    return commit
  }

  /** GitHub keeps the head of every pull request under this name. */
  keepHead(number: number, commit: string): void {
    this.#run('update-ref', `refs/pull/${number}/head`, commit)
  }

  #git(...args: string[]): string {
    const { status, stdout, stderr } = this.#run(...args)
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }

  #run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
    const date = `${Math.floor(this.#now() / 1000)} +0000`
    const env = {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_AUTHOR_NAME: 'GitHub',
      GIT_AUTHOR_EMAIL: 'noreply@forge.example',
      GIT_COMMITTER_NAME: 'GitHub',
      GIT_COMMITTER_EMAIL: 'noreply@forge.example',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    }
    return spawnSync('git', ['--git-dir', this.#path, ...args], { env, encoding: 'utf8' })
  }
}
