// Plays steps on a real daemon with tmux, scripted agents and git.
import { execFile, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Resource } from '../../schemas/resource.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { root } from '../support/root.ts'
import { Desired, SOURCES, idOf, type Id, type SourceName } from './desired.ts'
import { byHand, type Hand } from './by-hand.ts'
import { Notes, noteChange, type Memory } from './memory.ts'
import { BY_HAND } from './schedule.ts'
import type { Step } from './steps.ts'

const run = promisify(execFile)
/** Loaded into the daemon, not into its agents. */
const CRASH_POINTS = join(root, 'test', 'attack', 'live-plan', 'crash-points.mjs')
const MOST_STARTS = 4

export interface Tally {
  commits: number
  hands: number
  kills: number
  checks: number
}

export class Player {
  readonly stand: DaemonStand
  readonly memory: Memory
  readonly tally: Tally = { commits: 0, hands: 0, kills: 0, checks: 0 }
  #child!: ChildProcess
  #actors = 0
  readonly #written: Record<SourceName, Map<string, string>> = { default: new Map(), second: new Map() }

  /** Starts a daemon and creates the manual resources. */
  static async create(): Promise<Player> {
    const player = new Player(await DaemonStand.create())
    try {
      await player.#begin()
      return player
    } catch (error) {
      await player.stand.close()
      throw error
    }
  }

  private constructor(stand: DaemonStand) {
    this.stand = stand
    this.memory = {
      desired: new Desired(),
      hands: new Map(),
      handMade: new Map(),
      left: new Map(),
      names: new Map(),
      seenDrift: new Map(),
      notes: new Notes(),
      before: null,
    }
  }

  async #begin(): Promise<void> {
    const { stand } = this
    stand.env.SVC_CRASH_FILE = join(stand.home, 'crash-after')
    const config = join(stand.home, '.config', 'svc', 'config.yaml')
    mkdirSync(dirname(config), { recursive: true })
    mkdirSync(this.#folder('second'))
    writeFileSync(config, `sources: [{name: second, directory: ${this.#folder('second')}}]\n`)
    for (const [name, value] of [
      ['user.name', 'laws'],
      ['user.email', 'laws@example.com'],
      ['commit.gpgsign', 'false'],
    ] as const)
      await run('git', ['-C', stand.project, 'config', name, value])
    await this.#write()
    await this.#start()
    for (const { kind, name, members } of BY_HAND) await this.take({ step: 'create', kind, name, members })
    this.memory.notes = new Notes()
  }

  #folder(source: SourceName): string {
    return source === 'default' ? this.stand.manifests : join(this.stand.project, 'second')
  }

  get isDown(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async #start(): Promise<void> {
    this.disarm()
    const serve = ['bin/svc', 'serve', '--manifests', this.stand.manifests]
    this.#child = await this.stand.start([process.execPath, '--import', CRASH_POINTS, ...serve])
  }

  /** Restarts a killed daemon. Throws if it exited otherwise. */
  async revive(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit')
    if (this.#child.signalCode !== 'SIGKILL')
      throw new Error(`the daemon exited (${this.#child.exitCode}): ${this.stand.output.slice(-2000)}`)
    this.tally.kills++
    await this.#start()
  }

  /** Cancels a pending kill. */
  disarm(): void {
    rmSync(this.stand.env.SVC_CRASH_FILE!, { force: true })
  }

  /** Returns false if the step has no target. */
  async take(step: Step): Promise<boolean> {
    if (step.step === 'commit') return this.#commit(() => this.memory.desired.commit(step.edits))
    if (step.step === 'roll back') return this.#commit(() => this.memory.desired.rollBack(step.count))
    if (step.step === 'kill') return this.#kill(step.after)
    const actor = `hand-${++this.#actors}`
    const hand: Hand = { actor, again: false }
    for (let starts = 0; ; starts++) {
      try {
        const done = await byHand(step, Object.assign(hand, { again: starts > 0 }), this)
        if (done) this.tally.hands++
        return done
      } catch (error) {
        if (starts >= MOST_STARTS || !(await this.#isGone())) throw error
        await this.revive()
      }
    }
  }

  /** Returns whether the daemon was killed, once it has exited. */
  async #isGone(): Promise<boolean> {
    await eventually(() => this.isDown || !existsSync(this.stand.env.SVC_CRASH_FILE!), 2000).catch(() => false)
    return this.isDown
  }

  async #kill(after: number): Promise<boolean> {
    if (after > 0) writeFileSync(this.stand.env.SVC_CRASH_FILE!, String(after))
    else {
      this.#child.kill('SIGKILL')
      await this.revive()
    }
    return true
  }

  async #commit(change: () => void): Promise<boolean> {
    noteChange(this.memory, change)
    if (!(await this.#write())) return false
    this.tally.commits++
    return true
  }

  /** Commits changed files. Returns false if none. */
  async #write(): Promise<boolean> {
    const { project } = this.stand
    let moved = false
    for (const source of SOURCES) {
      const files = this.memory.desired.files(source, project)
      for (const [path, text] of files) {
        if (this.#written[source].get(path) === text) continue
        mkdirSync(dirname(join(this.#folder(source), path)), { recursive: true })
        writeFileSync(join(this.#folder(source), path), text)
        moved = true
      }
      for (const path of this.#written[source].keys()) {
        if (files.has(path)) continue
        rmSync(join(this.#folder(source), path))
        moved = true
      }
      this.#written[source] = files
    }
    if (!moved) return false
    await run('git', ['-C', project, 'add', '--all'])
    await run('git', ['-C', project, 'commit', '--quiet', '--message', 'a revision'])
    return true
  }

  async ownedId(id: Id): Promise<string | null> {
    const inventory = await this.stand.get<Resource[]>(`${this.stand.controller}/resources`)
    return inventory.find((entry) => entry.id === id)?.live_id ?? null
  }

  isDeclared(id: Id): boolean {
    return this.memory.desired.all().some((declared) => idOf(declared) === id)
  }
}
