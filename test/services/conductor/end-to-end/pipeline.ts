// The daemon with a fake GitHub and a real bare repository.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { startGitHub, type GitHub } from '../../../forge/github.ts'
import type { Message } from '../../../../schemas/communicate/message.ts'
import type { ConductorRun } from '../../../../schemas/conductor/run.ts'
import type { Memory } from '../../../../schemas/docstore/memory.ts'
import { DaemonStand } from '../../../support/daemon.ts'
import { request } from '../../../support/http.ts'
import { root } from '../../../support/root.ts'
import { StackedRemote } from '../../../platform/git/stacked-remote.ts'

export const REPOSITORY = 'acme/shop'
export const MINUTE = 60_000

const EXAMPLE = join(root, 'examples', 'conductor')
/** Reads the rooms, as one of their participants. */
const READER = { 'x-svc-actor': 'operator' }

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
  static async create(env: Record<string, string> = {}): Promise<Pipeline> {
    const remote = new StackedRemote()
    // Commits of the conductor have the time of the machine.
    const github = await startGitHub({ repository: REPOSITORY, git: remote.folder, now: Date.now })
    const daemon = await DaemonStand.create({
      env: {
        SVC_FORGE_API_URL: github.url,
        SVC_FORGE_TOKEN: github.token,
        SVC_CONDUCTOR_REPOSITORY: REPOSITORY,
        SVC_CONDUCTOR_REMOTE: `file://${remote.home}/{owner}/{name}.git`,
        ...env,
      },
    })
    return new Pipeline(remote, github, daemon)
  }

  /** Starts the daemon with these folders of the example. */
  async start(...folders: string[]): Promise<void> {
    const { daemon } = this
    for (const folder of folders)
      cpSync(join(EXAMPLE, folder), join(daemon.manifests, folder), { recursive: true, force: false })
    await daemon.start()
    await daemon.settled()
    await daemon.connected()
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

  /** Messages of a room, oldest first. `about`: only those. */
  async messages(room: string, about?: string): Promise<Message[]> {
    const address = `${this.daemon.urls.communicate}/rooms/${room}/messages`
    const { body } = await this.daemon.ask<Message[]>('GET', address, undefined, READER)
    return body.filter(({ metadata }) => about === undefined || metadata.about === about)
  }

  /** Current records of the conductor. */
  async memories(): Promise<Memory[]> {
    const found = await this.daemon.get<Memory[]>(`${this.daemon.urls.docstore}/memories?tag=conductor`)
    return found.filter(({ superseded_by }) => superseded_by === null)
  }
}
