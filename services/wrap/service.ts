import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import * as Type from 'typebox'
import { timestamp } from '../../platform/core/clock.ts'
import { counter } from '../../platform/metrics/metrics.ts'
import { forbidden, notFound, Problem } from '../../platform/core/problem.ts'
import { ClosedSet } from '../../platform/files/closed-set.ts'
import { defineService, type Opened } from '../../platform/service/define.ts'
import { seconds } from '../../platform/service/settings.ts'
import type { World } from '../../platform/service/world.ts'
import { table } from '../../platform/store/table.ts'
import type { UserSession } from '../../platform/terminal/user-mux.ts'
import { wrapOperations } from '../../schemas/operations/wrap.ts'
import { LaunchRequest, panesOf, type LaunchReply, type WrapSession } from '../../schemas/wrap/launch.ts'
import type { Wrap } from './face.ts'
import { migrations } from './migrations.ts'
import { commandSettings, programFor } from './programs.ts'

const settings = {
  ...commandSettings,
  /** Seconds that the program must run to count as started. */
  startSecs: seconds({ default: 0.5 }),
}

const { project_path, agent_type, model_provider, model_name } = LaunchRequest.properties
const Launch = Type.Object({
  id: Type.String(),
  session_name: Type.String(),
  project_path,
  agent_type,
  model_provider,
  model_name,
  created_at: Type.String(),
})

/** Documented; the message adds details. */
type FailureName =
  | 'project path does not exist'
  | 'project path is not absolute'
  | 'Failed to create session'
  | 'Failed to launch agent'

class LaunchFailure extends Error {
  readonly failure: FailureName
  constructor(failure: FailureName, detail: string) {
    super(detail)
    this.failure = failure
  }
}

/** Excludes characters that tmux or a shell treats specially. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_ .:@+/-]{0,99}$/u

export const wrap = defineService({
  operations: wrapOperations,
  settings,
  migrations,
  open: (world: World<typeof settings>): Wrap & Opened => new WrapService(world),
})

class WrapService implements Wrap, Opened {
  readonly #world: World<typeof settings>
  readonly #launches
  readonly #outcomes = { launched: 0, failed: 0 }

  constructor(world: World<typeof settings>) {
    this.#world = world
    this.#launches = table(world, 'wrap_launches', Launch, { what: 'launch' })
  }

  readonly metrics = [
    counter('svc_wrap_launches_total', 'Session launches by outcome', () => this.#outcomes, 'outcome'),
  ]

  /** For a shell, of the server that has the sessions. */
  get #tmux(): string {
    const { userMuxSocket } = this.#world.config
    return userMuxSocket === 'default' ? 'tmux' : `tmux -L ${userMuxSocket}`
  }

  async launch(request: LaunchRequest): Promise<LaunchReply> {
    // tmux replaces the same characters.
    const session_name = request.project_name.replace(/[.:]/g, '_')
    try {
      await this.#launch(request, session_name)
    } catch (error) {
      if (!(error instanceof LaunchFailure)) throw error
      this.#outcomes.failed++
      const { failure } = error
      return {
        success: false,
        session_name,
        message: `Failed to launch agent: ${failure}: ${error.message}`,
        error: failure,
      }
    }
    this.#outcomes.launched++
    const message = `${request.agent_type} is running in session ${session_name}; to attach: ${this.#tmux} attach -t "=${session_name}"`
    return { success: true, session_name, message, error: null }
  }

  async list(): Promise<WrapSession[]> {
    const sessions = await this.#world.userMux.list()
    const marks = sessions.flatMap(({ mark }) => (mark === null ? [] : [mark]))
    const launches = marks.length === 0 ? [] : await this.#launches.list({ where: { id: marks } })
    return sessions
      .map((session) =>
        toRecord(
          session,
          launches.find(({ id }) => id === session.mark),
        ),
      )
      .reverse()
  }

  async get(name: string): Promise<WrapSession> {
    const found = (await this.list()).find((session) => session.name === name)
    if (!found) throw notFound('session', name)
    return found
  }

  async end(name: string): Promise<void> {
    const { launched } = await this.get(name)
    if (!launched)
      throw forbidden(`session ${name} was not launched by svc; to end it: ${this.#tmux} kill-session -t "=${name}"`)
    await this.#world.userMux.kill(name)
  }

  async #launch(request: LaunchRequest, name: string): Promise<void> {
    const { userMux, config, settings, clock } = this.#world
    const { project_path: directory, layout } = request
    if (!NAME.test(request.project_name))
      throw new LaunchFailure(
        'Failed to create session',
        'project_name should start with a letter, a digit or _, and contain only these, spaces and . : @ + / -, at most 100 characters',
      )
    await checkDirectory(directory)
    const real = await realpath(directory).catch(() => directory)
    new ClosedSet(config).refuse('project_path', directory, { real })
    const { command, missing } = programFor(request, settings, config.env)
    if (missing !== null) throw new LaunchFailure('Failed to launch agent', missing)
    const { agent_type, model_provider, model_name, project_path } = request
    const about = { agent_type, model_provider, model_name, project_path }
    const row = { id: this.#world.ids(), session_name: name, ...about, created_at: timestamp(clock) }
    // Without a record, the session could not be ended.
    await this.#launches.insert(row)
    const shape = layout ?? { type: 'single' as const }
    try {
      await userMux.launch({
        name,
        directory,
        command,
        panes: panesOf(shape),
        layout: shape.type,
        mark: row.id,
        startMs: settings.startSecs * 1000,
      })
    } catch (error) {
      await this.#launches.delete(row.id)
      throw asFailure(error)
    }
  }
}

async function checkDirectory(path: string): Promise<void> {
  if (!isAbsolute(path))
    throw new LaunchFailure('project path is not absolute', `${path} is relative; use an absolute path`)
  const found = path.includes('\0') ? null : await stat(path).catch(() => null)
  if (!found?.isDirectory())
    throw new LaunchFailure('project path does not exist', `${path} ${found ? 'is not a directory' : 'does not exist'}`)
}

function asFailure(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const isProgram = error.code === 'program-ended'
  const hint = error.code === 'name-taken' ? '; choose another project_name, or end that session' : ''
  return new LaunchFailure(isProgram ? 'Failed to launch agent' : 'Failed to create session', error.message + hint)
}

function toRecord(
  { name, panes, attached, created }: UserSession,
  launch: Pick<LaunchRequest, 'project_path' | 'agent_type' | 'model_provider' | 'model_name'> | undefined,
): WrapSession {
  const { project_path = null, agent_type = null, model_provider = null, model_name = null } = launch ?? {}
  return {
    name,
    launched: launch !== undefined,
    panes,
    attached,
    project_path,
    agent_type,
    model_provider,
    model_name,
    created_at: new Date(created * 1000).toISOString(),
  }
}
