// The daemon with a fake GitHub and a real bare repository.
import { cpSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parse, stringify } from 'yaml'
import { startGitHub, type GitHub } from '../../../forge/github.ts'
import type { NewPullRequest } from '../../../forge/records.ts'
import type { Message } from '../../../../schemas/communicate/message.ts'
import type { ConductorRun } from '../../../../schemas/conductor/run.ts'
import type { DispatchRecord, WorkflowRecord } from '../../../../schemas/workflow/record.ts'
import type { Memory } from '../../../../schemas/docstore/memory.ts'
import { bin } from '../../../support/built.ts'
import { DaemonStand } from '../../../support/daemon.ts'
import { request } from '../../../support/http.ts'
import { root } from '../../../support/root.ts'
import { StackedRemote } from '../../../platform/git/stacked-remote.ts'

export const REPOSITORY = 'acme/shop'
export const MINUTE = 60_000

const EXAMPLE = join(root, 'examples', 'conductor')
/** Of the webhook. */
export const SECRET = 'hook-secret-1'

export type Manifest = Record<string, any>

const example = (file: string): Manifest => parse(readFileSync(join(EXAMPLE, `${file}.yml`), 'utf8'))

/** Reads the rooms, as one of their participants. */
const READER = { 'x-svc-actor': 'operator' }

/** Opens the pull request of a branch, approved and with a successful check. */
export function approved(github: GitHub, given: NewPullRequest): number {
  const number = github.pullRequest({ title: `Change ${given.branch}`, ...given })
  github.review(number, 'APPROVED')
  github.check(number, { name: 'build' })
  return number
}

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

  /**
   * Starts the daemon with the agent of the example, scripted, and these workflows of it with other members. Each runs
   * the first command of its prompt. `manifests`: more of them, by path. Closed at the end of the test.
   */
  static async withAgent(workflows: Record<string, Manifest>, manifests: Record<string, Manifest> = {}) {
    const path = `${dirname(bin('agent'))}:${process.env.PATH}`
    const pipeline = await Pipeline.create({ PATH: path, CONDUCTOR_WEBHOOK_SECRET: SECRET })
    onTestFinished(() => pipeline.close())
    const { daemon } = pipeline
    daemon.write('agents/conductor.yml', stringify({ ...example('agents/conductor'), runtime: 'scripted' }))
    for (const [name, { trigger_config, ...members }] of Object.entries(workflows)) {
      const { enabled: _enabled, ...manifest } = example(`workflows/${name}`)
      const [, command] = /`(agent [^`]+)`/.exec(manifest.prompt_template)!
      const changes = {
        ...members,
        trigger_config: { ...manifest.trigger_config, ...trigger_config },
        prompt_template: `USE_TOOL Bash ${command}`,
      }
      daemon.write(`workflows/${name}.yml`, stringify({ ...manifest, ...changes }))
    }
    for (const [file, manifest] of Object.entries(manifests)) daemon.write(`${file}.yml`, stringify(manifest))
    await pipeline.start('rooms', 'policies')
    return pipeline
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

  approved(branch: string, base: string, labels: string[] = ['merge-ready']): number {
    return approved(this.github, { branch, base, labels })
  }

  /** Runs that are kept, newest first. */
  runs(): Promise<ConductorRun[]> {
    return this.daemon.get<ConductorRun[]>(`${this.address}/runs`)
  }

  async workflow(name: string): Promise<WorkflowRecord> {
    const found = await this.daemon.get<WorkflowRecord[]>(`${this.daemon.orchestrator}/workflows`)
    return found.find((each) => each.name === name)!
  }

  /** Dispatches of a workflow that have ended, oldest first. */
  async ended(name: string): Promise<DispatchRecord[]> {
    const { id } = await this.workflow(name)
    const found = await this.daemon.get<DispatchRecord[]>(`${this.daemon.orchestrator}/workflows/${id}/history`)
    return found.filter(({ completed_at }) => completed_at !== null).toReversed()
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
