// Runs in this process over a fake GitHub, a copy of a real remote repository, and real rooms and memories.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { systemClock, TestClock, type Clock } from '../../../../platform/core/clock.ts'
import type { Message, RoomLock } from '../../../../schemas/communicate/message.ts'
import type { ConductorRun } from '../../../../schemas/conductor/run.ts'
import type { Memory } from '../../../../schemas/docstore/memory.ts'
import { openConductorGit } from '../../../../services/conductor/clone/conductor-git.ts'
import { openForgeRepository } from '../../../../services/conductor/snapshot/forge-repository.ts'
import { startGitHub, type GitHub } from '../../../forge/github.ts'
import { sqliteDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { Crashes, crashingWorld, runUntilCrash } from '../crashes.ts'
import { startConductor, type ConductorStand } from '../stand.ts'

export interface SceneRun {
  crashes?: Crashes
  isDry?: boolean
  clock?: Clock
}

/** Methods of the forge and of git that change something. */
const EFFECTS = new Set([
  'addLabel',
  'removeLabel',
  'comment',
  'retarget',
  'merge',
  'updateBranch',
  'restack',
  'deleteBranch',
])
const isEffect = (method: string) => EFFECTS.has(method)

/** Rooms and memories for the scenes of a test file. */
export function sharedStand(): { readonly stand: ConductorStand } {
  const shared = {} as { stand: ConductorStand }
  let remove: () => Promise<void>
  beforeAll(async () => {
    const database = await sqliteDatabase()
    remove = database.remove
    shared.stand = await startConductor(database.url, {})
  })
  afterAll(async () => {
    await shared.stand.close()
    await remove()
  })
  return shared
}

export class Scene {
  /** Unique among the scenes of a stand. */
  readonly repository: string
  readonly github: GitHub
  readonly home: string
  /** The bare repository. */
  readonly folder: string
  readonly #stand: ConductorStand

  private constructor(stand: ConductorStand, github: GitHub, home: string, folder: string) {
    this.repository = github.repository
    this.github = github
    this.home = home
    this.folder = folder
    this.#stand = stand
  }

  /** `origin`: bare repository to copy. */
  static async open(stand: ConductorStand, origin: string, fill: (github: GitHub) => void): Promise<Scene> {
    const home = mkdtempSync(join(tmpdir(), 'svc-scene-'))
    const repository = `acme/shop-${randomUUID().slice(0, 8)}`
    const folder = join(home, `${repository}.git`)
    cpSync(origin, folder, { recursive: true })
    // Commits of the conductor have the time of the machine.
    const github = await startGitHub({ repository, git: folder, now: Date.now })
    fill(github)
    return new Scene(stand, github, home, folder)
  }

  async close(): Promise<void> {
    await this.github.close()
    rmSync(this.home, { recursive: true, force: true })
  }

  get dataDir(): string {
    return join(this.home, 'data')
  }

  /** Null after a crash. */
  async run({
    crashes = new Crashes(),
    isDry = false,
    clock = systemClock,
  }: SceneRun = {}): Promise<ConductorRun | null> {
    const { repository, github, home, dataDir } = this
    const [owner, name] = repository.split('/') as [string, string]
    const settings = { repository, pipelineBase: null, reviewers: [], clock }
    const forge = openForgeRepository({ ...settings, url: github.url, token: github.token })
    const remote = { owner, name, remote: `file://${home}/{owner}/{name}.git`, cloneUrl: async () => null }
    const git = openConductorGit({ ...remote, dataDir, home, env: { PATH: process.env.PATH } })
    return runUntilCrash({
      world: crashingWorld(this.#stand, crashes, clock),
      repository,
      isDry,
      forge: crashes.around(forge, isEffect),
      git: crashes.around(git, isEffect),
    })
  }

  /** Runs without a lock on a clock that advances by seconds while the run waits. */
  async runAhead(clock = new TestClock(Date.now())): Promise<ConductorRun> {
    let isEnded = false
    const running = this.run({ clock }).finally(() => (isEnded = true))
    for (;;) {
      await eventually(() => isEnded || clock.pending > 0)
      if (isEnded) return (await running)!
      clock.tick(1000)
      await setImmediate()
    }
  }

  git(...args: string[]): string {
    return execFileSync('git', [`--git-dir=${this.folder}`, ...args], { encoding: 'utf8' }).trim()
  }

  async messages(): Promise<Message[]> {
    const rooms = await Promise.all(
      ['engineering', 'operations'].map((room) =>
        this.#stand.ask<Message[]>(`GET /rooms/${room}/messages/latest?count=200`, undefined, 'communicate'),
      ),
    )
    return rooms.flatMap(({ body }) => body).filter(({ metadata }) => metadata.repository === this.repository)
  }

  async memories(): Promise<Memory[]> {
    const path = `GET /memories?tag=repo:${this.repository}`
    return (await this.#stand.ask<Memory[]>(path, undefined, 'docstore')).body
  }

  /** Everything that runs change, without times and ids. */
  async state() {
    const messages = await this.messages()
    const key = { repository_key: this.repository }
    const locks = await this.#stand.ask<RoomLock[]>('GET /rooms/engineering/locks', undefined, 'communicate')
    return {
      forge: this.#items(),
      git: this.#branches(),
      reports: messages
        .filter(isReport)
        .map((message) => this.#plain(shownOf(message)))
        .toSorted(),
      transitions: messages.flatMap(({ metadata }) => (metadata.transitions as string[] | undefined) ?? []).toSorted(),
      locks: locks.body,
      records: (await this.memories()).filter(isCurrent).map((memory) => this.#recordOf(memory)),
      intents: await this.#stand.db('conductor_intents').where(key),
      journal: await this.#stand.db('conductor_journal').where(key),
    }
  }

  #items() {
    this.github.sync()
    return [...this.github.items.values()].map((item) => ({
      number: item.number,
      state: item.state,
      labels: item.labels.toSorted(),
      base: 'base' in item ? item.base : null,
      events: item.events.map(({ type, by, label }) => `${type} ${label} ${by}`).toSorted(),
      comments: item.comments.map(({ by, body }) => `${by}: ${body}`),
    }))
  }

  /** Trees and subjects: of the heads, and of all commits. */
  #branches() {
    const heads = this.git('for-each-ref', '--format=%(refname:lstrip=2) %(tree) %(subject)', 'refs/heads')
    const commits = this.git('log', '--branches', '--format=%T %s').split('\n')
    return { heads: heads.split('\n'), commits: commits.toSorted() }
  }

  #recordOf({ content, tags }: Memory) {
    const { run: _run, at: _at, reported, ...record } = JSON.parse(this.#plain(content))
    return {
      ...record,
      reported: Object.keys(reported).filter(isReported).map(withoutTime).toSorted(),
      tags: tags.map((tag) => this.#plain(tag)).toSorted(),
    }
  }

  #plain(text: string): string {
    return text.replaceAll(this.repository, 'acme/shop')
  }
}

const isCurrent = ({ superseded_by }: Memory): boolean => superseded_by === null

/** False for the first sight of a head: a second run sees heads that the first one made. */
const isReported = (key: string): boolean => !key.startsWith('seen ')

/** Of a key whose version is the time of a label. */
const withoutTime = (key: string): string => key.replace(/@\d{13}$/, '@time')

const isReport = ({ metadata }: Message): boolean => !['lock', 'unlock', 'digest'].includes(String(metadata.about))

const shownOf = ({ room_id, content, metadata: { about, items, mention } }: Message): string =>
  JSON.stringify([room_id, about, items, mention, content])
