// A real remote repository for git sources.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export class Origin {
  readonly home = mkdtempSync(join(tmpdir(), 'svc-origin-'))
  readonly folder = join(this.home, 'team')
  readonly url = `file://${this.folder}`
  #config: string[] = []

  /** `closes`: registers the cleanup; default the end of the test. */
  constructor(closes: (close: () => void) => void = onTestFinished, format = 'sha1') {
    closes(() => rmSync(this.home, { recursive: true, force: true }))
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', `--object-format=${format}`, this.folder])
    this.git('config', 'uploadpack.allowFilter', 'true')
  }

  git(...args: string[]): string {
    const identity = ['-c', 'user.name=Mira', '-c', 'user.email=mira@example.org', '-c', 'commit.gpgSign=false']
    const env = { PATH: process.env.PATH, HOME: this.home, GNUPGHOME: join(this.home, 'gnupg') }
    const all = ['-C', this.folder, ...identity, ...this.#config, ...args]
    return execFileSync('git', all, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  }

  /** Signs later commits. */
  signs(...config: string[]): void {
    this.#config = ['-c', 'commit.gpgSign=true', ...config.flatMap((each) => ['-c', each])]
  }

  /** Writes files (null removes one, `{link}` creates a link) and returns the commit. */
  commit(files: Record<string, string | Buffer | null | { link: string }>, message = 'change'): string {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.folder, path)
      rmSync(file, { recursive: true, force: true })
      if (content === null) continue
      mkdirSync(dirname(file), { recursive: true })
      if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, file)
      else writeFileSync(file, content)
    }
    this.git('add', '--all')
    this.git('commit', '--quiet', '--allow-empty', '-m', message)
    return this.git('rev-parse', 'HEAD')
  }
}
