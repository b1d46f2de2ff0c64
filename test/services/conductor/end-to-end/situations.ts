// Situations of a repository: branches of its remote, then the items of the forge.
import type { GitHub } from '../../../forge/github.ts'
import { squash } from '../../../forge/merges.ts'
import type { StackedRemote } from '../../../platform/git/stacked-remote.ts'
import { DAY, HOUR, MINUTE } from '../snapshots.ts'
import { approved } from './pipeline.ts'

export interface Scenario {
  branches?(remote: StackedRemote): void
  fill(github: GitHub): void
}

const labels = ['merge-ready']

/** Makes a branch of one commit. */
const branch = (remote: StackedRemote, name: string, from = 'main') =>
  remote.commit(name, { [`${name}.txt`]: name }, `${name}1`, from)

/** Makes a branch with a change that conflicts with a later one of main. */
function conflictWithMain(remote: StackedRemote, name: string, from = 'main'): void {
  remote.commit(name, { 'shared.txt': 'one\nB\nthree\n' }, `${name}1`, from)
  remote.commit('main', { 'shared.txt': 'one\nM\nthree\n' }, 'main1')
}

export const SITUATIONS = {
  'four issues without labels': {
    fill: (github) => [1, 2, 3, 4].forEach(() => github.issue()),
  },
  'a request for a run': {
    fill: (github) => github.issue({ labels: ['triaged', 'conductor-sync'] }),
  },
  'a stale issue': {
    fill: (github) => github.issue({ labels: ['bug'], createdAt: github.now - 4 * DAY }),
  },
  'an agent without a pull request': {
    fill: (github) => github.issue({ labels: ['docs-agent'], createdAt: github.now - 7 * HOUR }),
  },
  'a stack of three on a merged pull request': {
    branches: (remote) => {
      branch(remote, 'p')
      branch(remote, 'q', 'p')
      branch(remote, 'r', 'q')
      branch(remote, 's', 'r')
    },
    fill: (github) => {
      const merged = github.pullRequest({ branch: 'p' })
      github.pullRequest({ branch: 'q', base: 'p' })
      github.pullRequest({ branch: 'r', base: 'q' })
      github.pullRequest({ branch: 's', base: 'r' })
      squash(github, merged)
    },
  },
  'a stack of three in the queue': {
    branches: (remote) => remote.stack(),
    fill: (github) => {
      approved(github, { branch: 'a', labels })
      approved(github, { branch: 'b', base: 'a', labels })
      approved(github, { branch: 'c', base: 'b', labels })
    },
  },
  'a late review': {
    branches: (remote) => branch(remote, 'review'),
    fill: (github) =>
      github.pullRequest({ branch: 'review', labels: ['review-agent'], createdAt: github.now - 31 * MINUTE }),
  },
  'rework for 16 minutes': {
    branches: (remote) => branch(remote, 'rework'),
    fill: (github) => {
      const closes = [github.issue({ labels: ['bug'] })]
      const createdAt = github.now - 16 * MINUTE
      github.pullRequest({ branch: 'rework', labels: ['needs-rework'], createdAt, closes })
    },
  },
  'requested changes': {
    branches: (remote) => branch(remote, 'refused'),
    fill: (github) => github.review(github.pullRequest({ branch: 'refused', labels }), 'CHANGES_REQUESTED'),
  },
  'a conflict with main': {
    branches: (remote) => conflictWithMain(remote, 'conflict'),
    fill: (github) => approved(github, { branch: 'conflict', labels }),
  },
  'checks that failed two days ago': {
    branches: (remote) => branch(remote, 'failed'),
    fill: (github) => {
      const at = github.now - 2 * DAY
      github.check(github.pullRequest({ branch: 'failed', labels }), { name: 'build', conclusion: 'FAILURE', at })
    },
  },
  'no approval': {
    branches: (remote) => branch(remote, 'alone'),
    fill: (github) => github.pullRequest({ branch: 'alone', labels }),
  },
  'a branch that is behind': {
    branches: (remote) => {
      branch(remote, 'behind')
      remote.commit('main', { 'later.txt': 'later' }, 'later')
    },
    fill: (github) => approved(github, { branch: 'behind', mergeState: 'BEHIND', labels }),
  },
  'an approval with running checks': {
    branches: (remote) => branch(remote, 'ready'),
    fill: (github) => {
      const number = github.pullRequest({ branch: 'ready' })
      github.review(number, 'APPROVED')
      github.check(number, { name: 'build', status: 'IN_PROGRESS' })
    },
  },
} satisfies Record<string, Scenario>

/** Situations in which a run is stopped. */
export const STOPS = {
  'a conflict after a merge': {
    branches: (remote) => {
      branch(remote, 'd')
      conflictWithMain(remote, 'e', 'd')
      branch(remote, 'f', 'e')
    },
    fill: (github) => {
      approved(github, { branch: 'd', labels })
      approved(github, { branch: 'e', base: 'd', labels })
      approved(github, { branch: 'f', base: 'e', labels })
    },
  },
  'a gate': {
    branches: (remote) => branch(remote, 'gate'),
    fill: (github) => approved(github, { branch: 'gate', labels: ['merge-ready', 'human-gate'] }),
  },
} satisfies Record<string, Scenario>

/** All of these scenarios in one repository. */
export const together = (scenarios: readonly Scenario[]): Required<Scenario> => ({
  branches: (remote) => scenarios.forEach((scenario) => scenario.branches?.(remote)),
  fill: (github) => scenarios.forEach((scenario) => scenario.fill(github)),
})
