// The daemon with a fake GitHub and a real bare repository.
import type { GitHub } from '../../../forge/github.ts'
import { startGitHub } from '../../../forge/github.ts'
import type { Message } from '../../../../schemas/communicate/message.ts'
import type { ConductorRun } from '../../../../schemas/conductor/run.ts'
import type { Memory } from '../../../../schemas/docstore/memory.ts'
import { DaemonStand } from '../../../support/daemon.ts'
import { request } from '../../../support/http.ts'
import { StackedRemote } from '../../../platform/git/stacked-remote.ts'

export const REPOSITORY = 'acme/shop'
export const MINUTE = 60_000

export interface PipelineOptions {
  /** Copied to the watched folder; default: the two rooms. */
  manifests?: string
  env?: Record<string, string>
}

const roomOf = (name: string): string => `name: ${name}
topic: Pipeline
type: group
participants:
  - { identifier: operator, kind: human, role: admin }
  - { identifier: conductor, kind: agent }
`

export class Pipeline {
  readonly remote: StackedRemote
  readonly github: GitHub
  readonly daemon: DaemonStand

  private constructor(remote: StackedRemote, github: GitHub, daemon: DaemonStand) {
    this.remote = remote
    this.github = github
    this.daemon = daemon
  }

  /** Call in a test or hook: the remote is removed at its end. */
  static async start({ manifests, env = {} }: PipelineOptions = {}): Promise<Pipeline> {
    const remote = new StackedRemote()
    // Commits of the conductor have the time of the machine.
    const github = await startGitHub({ repository: REPOSITORY, git: remote.folder, now: Date.now })
    const daemon = await DaemonStand.create({
      ...(manifests === undefined ? {} : { manifests }),
      env: {
        SVC_FORGE_API_URL: github.url,
        SVC_FORGE_TOKEN: github.token,
        SVC_CONDUCTOR_REPOSITORY: REPOSITORY,
        SVC_CONDUCTOR_REMOTE: `file://${remote.home}/{owner}/{name}.git`,
        ...env,
      },
    })
    if (manifests === undefined)
      for (const room of ['engineering', 'operations']) daemon.write(`rooms/${room}.yml`, roomOf(room))
    return new Pipeline(remote, github, daemon)
  }

  async close(): Promise<void> {
    await this.daemon.close()
    await this.github.close()
  }

  get address(): string {
    return this.daemon.urls.conductor!
  }

  /** Resolves when the run has ended. Throws on an error status. */
  run(): Promise<ConductorRun> {
    return request<ConductorRun>('POST', `${this.address}/runs`, {})
  }

  /** Opens the pull request of a branch, approved and with a successful check. */
  approved(branch: string, base: string, labels: string[] = ['merge-ready']): number {
    const number = this.github.pullRequest({ branch, base, title: `Change ${branch}`, labels })
    this.github.review(number, 'APPROVED')
    this.github.check(number, { name: 'build' })
    return number
  }

  /** Messages of a room about `about`, oldest first. */
  async messages(room: string, about: string): Promise<Message[]> {
    const all = await this.daemon.get<Message[]>(`${this.daemon.urls.communicate}/rooms/${room}/messages`)
    return all.filter(({ metadata }) => metadata.about === about)
  }

  /** Current records of the conductor. */
  async memories(): Promise<Memory[]> {
    const found = await this.daemon.get<Memory[]>(`${this.daemon.urls.docstore}/memories?tag=conductor`)
    return found.filter(({ superseded_by }) => superseded_by === null)
  }
}

/** `add-label needs-triage #7` of each action. */
export const actionsOf = (run: ConductorRun): string[] =>
  run.actions.map(({ action, label, number, about, base, outcome }) =>
    [action, label ?? about ?? base, number === null ? null : `#${number}`, outcome === 'done' ? null : outcome]
      .filter((word) => word !== null)
      .join(' '),
  )
