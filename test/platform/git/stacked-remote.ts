// A bare remote repository with a stack of branches: main <- a <- b <- c, pull requests 1 to 3.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export type Files = Record<string, string | null | { link: string }>

export class StackedRemote {
  /** Home directory of the user of git. */
  readonly home = mkdtempSync(join(tmpdir(), 'svc-remote-'))
  readonly folder = join(this.home, 'acme', 'shop.git')
  readonly url = `file://${this.folder}`
  /** Working tree of the authors. */
  readonly work = join(this.home, 'work')

  constructor(format = 'sha1') {
    onTestFinished(() => rmSync(this.home, { recursive: true, force: true }))
    const init = ['init', '--quiet', '--initial-branch=main', `--object-format=${format}`]
    execFileSync('git', [...init, '--bare', this.folder])
    execFileSync('git', [...init, this.work])
    this.git('remote', 'add', 'origin', this.url)
    this.commit('main', { 'shared.txt': 'one\ntwo\nthree\n', 'README.md': 'shop\n' }, 'start')
  }

  /** Runs git in the working tree. */
  git(...args: string[]): string {
    return this.#run(['-C', this.work, ...args])
  }

  /** Runs git in the remote. */
  remote(...args: string[]): string {
    return this.#run([`--git-dir=${this.folder}`, ...args])
  }

  #run(args: string[]): string {
    const identity = ['-c', 'user.name=Mira', '-c', 'user.email=mira@example.org']
    const env = {
      PATH: process.env.PATH,
      HOME: join(this.home, 'author'),
      GIT_AUTHOR_DATE: '2026-05-01T10:00:00+02:00',
      GIT_CONFIG_NOSYSTEM: '1',
    }
    return execFileSync('git', [...identity, ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  }

  /** Commits on a branch, created from `from`, and pushes it. Returns the commit. */
  commit(branch: string, files: Files, message: string, from?: string): string {
    if (from !== undefined) this.git('checkout', '--quiet', '--force', '-B', branch, from)
    else if (existsSync(join(this.work, 'README.md'))) this.git('checkout', '--quiet', '--force', branch)
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.work, path)
      rmSync(file, { recursive: true, force: true })
      if (content === null) continue
      mkdirSync(dirname(file), { recursive: true })
      if (typeof content === 'string') writeFileSync(file, content)
      else symlinkSync(content.link, file)
    }
    this.git('add', '--all')
    this.git('commit', '--quiet', '--allow-empty', '-m', message)
    return this.push(branch)
  }

  /** Pushes a branch of the working tree, and returns its head. */
  push(branch: string): string {
    this.git('push', '--quiet', '--force', 'origin', branch)
    return this.git('rev-parse', branch)
  }

  /** Head of a branch of the remote; null if there is none. */
  head(branch: string): string | null {
    return this.remote('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`) || null
  }

  subjects(branch: string): string[] {
    return this.remote('log', '--format=%s', '--first-parent', branch).split('\n')
  }

  read(branch: string, file: string): string {
    return this.remote('show', `${branch}:${file}`)
  }

  /** Makes the branches a, b and c, one above the other, of one commit and one file each. */
  stack(): void {
    this.commit('a', { 'a.txt': 'a\n' }, 'a1', 'main')
    this.commit('b', { 'b.txt': 'b\n' }, 'b1', 'a')
    this.commit('c', { 'c.txt': 'c\n' }, 'c1', 'b')
  }

  /** Merges a branch into `base` as one commit, as a forge does. Returns the merged head. */
  squash(branch: string, number: number, base = 'main'): string {
    const head = this.head(branch)!
    this.git('fetch', '--quiet', 'origin', head)
    this.git('checkout', '--quiet', '--force', '-B', base, this.head(base)!)
    this.git('merge', '--quiet', '--squash', head)
    this.git('commit', '--quiet', '--allow-empty', '-m', `${branch} (#${number})`)
    this.push(base)
    this.remote('update-ref', `refs/pull/${number}/head`, head)
    return head
  }

  /** Installs a hook of the remote. */
  hook(name: string, script: string): void {
    mkdirSync(join(this.folder, 'hooks'), { recursive: true })
    writeFileSync(join(this.folder, 'hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
}
