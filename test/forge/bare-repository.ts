// Git side of the fake GitHub: a bare repository on disk, whose branches are those of the forge.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const HEADS = 'refs/heads'

// Facts of commits, by their ids: the same in each repository.
const dates = new Map<string, number>()
const conflicts = new Map<string, boolean>()
const ancestors = new Map<string, boolean>()

export class BareRepository {
  readonly #path: string
  readonly #now: () => number

  constructor(path: string, now: () => number) {
    this.#path = path
    this.#now = now
  }

  /** Heads by name, without a process: each request reads them. */
  branches(): Map<string, string> {
    const packed = this.#read('packed-refs')?.matchAll(/^([0-9a-f]+) refs\/heads\/(.+)$/gm) ?? []
    const heads = new Map([...packed].map(([, commit, name]) => [name!, commit!]))
    for (const name of readdirSync(join(this.#path, HEADS), { recursive: true, encoding: 'utf8' })) {
      const commit = name.endsWith('.lock') ? null : this.#read(join(HEADS, name))
      if (commit !== null) heads.set(name, commit)
    }
    return new Map([...heads].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }

  mainBranch(): string {
    return this.#read('HEAD')!.replace(/^ref: refs\/heads\//, '')
  }

  /** Null for a folder, and for a file that does not exist. */
  #read(file: string): string | null {
    const path = join(this.#path, file)
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8').trim() : null
  }

  /** Committer date in milliseconds; a commit that does not exist has the current time. */
  dateOf(commit: string): number {
    let date = dates.get(commit)
    if (date === undefined) {
      const { status, stdout } = this.#run('show', '--no-patch', '--format=%ct', commit)
      if (status !== 0) return this.#now()
      dates.set(commit, (date = Number(stdout) * 1000))
    }
    return date
  }

  isAncestor(commit: string, of: string): boolean {
    const key = `${commit} ${of}`
    if (!ancestors.has(key)) ancestors.set(key, this.#run('merge-base', '--is-ancestor', commit, of).status === 0)
    return ancestors.get(key)!
  }

  conflicts(base: string, head: string): boolean {
    const key = `${base} ${head}`
    if (!conflicts.has(key)) conflicts.set(key, this.mergeTree(base, head) === null)
    return conflicts.get(key)!
  }

  /** Tree of the merge; null if it conflicts. */
  mergeTree(base: string, head: string): string | null {
    const { status, stdout } = this.#run('merge-tree', '--write-tree', base, head)
    return status === 0 ? stdout.trim().split('\n')[0]! : null
  }

  /** Makes a commit of `tree` and moves the branch, which must be at the first parent; returns the commit. */
  commit(branch: string, tree: string, parents: readonly string[], message: string): string {
    const commit = this.#git('commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', message)
    this.#git('update-ref', `refs/heads/${branch}`, commit, parents[0]!)
    return commit
  }

  /** GitHub keeps the head of every pull request under this name. */
  keepHead(number: number, commit: string): void {
    const folder = join(this.#path, 'refs/pull', String(number))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'head'), `${commit}\n`)
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
