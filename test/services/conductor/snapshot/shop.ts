// A repository `acme/shop` on a fake GitHub, with branches that a test makes.
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import {
  type ForgeRepositoryOptions,
  openForgeRepository,
} from '../../../../services/conductor/snapshot/forge-repository.ts'
import { GitHub, startGitHub } from '../../../forge/github.ts'
import type { NewPullRequest } from '../../../forge/records.ts'
import { Origin } from '../../../platform/git/origin.ts'

export const TOKEN = 'forge-token-1'

export class Shop {
  readonly origin: Origin
  readonly github: GitHub
  readonly clock: TestClock

  private constructor(origin: Origin, github: GitHub) {
    this.origin = origin
    this.github = github
    this.clock = new TestClock(github.now)
  }

  static async open(closes: (close: () => void | Promise<void>) => void = onTestFinished): Promise<Shop> {
    const origin = new Origin(closes)
    origin.commit({ 'main.txt': 'first\n' })
    const github = await startGitHub({ repository: 'acme/shop', git: join(origin.folder, '.git'), token: TOKEN })
    closes(() => github.close())
    return new Shop(origin, github)
  }

  repository(more: Partial<ForgeRepositoryOptions> = {}) {
    const { github, clock } = this
    const settings = { repository: 'acme/shop', pipelineBase: null, reviewers: [] }
    return openForgeRepository({ ...settings, url: github.url, token: TOKEN, clock, ...more })
  }

  /** Makes a branch with one commit; returns it. */
  branch(name: string, files: Record<string, string> = { [`${name.replaceAll('/', '-')}.txt`]: name }, from = 'main') {
    // A merge on the forge moves the branch that is checked out.
    this.origin.git('reset', '--hard', '--quiet')
    this.origin.git('checkout', '--quiet', '-B', name, from)
    const commit = this.origin.commit(files, `change ${name}`)
    this.origin.git('checkout', '--quiet', 'main')
    return commit
  }

  /** Makes a pull request with its branch. */
  pull(branch: string, more: Partial<NewPullRequest> = {}): number {
    this.branch(branch, undefined, more.base ?? 'main')
    return this.github.pullRequest({ branch, ...more })
  }
}

export const never = new AbortController().signal

/** Names of the requests, in order. */
export const sent = ({ requests }: GitHub): string[] => requests.map(({ method, path }) => `${method} ${path}`)
