// The user's own tmux server.
import { setTimeout as sleep } from 'node:timers/promises'
import { conflict, unavailable } from '../core/problem.ts'
import {
  isGone,
  literal,
  PANE,
  panes,
  refusal,
  runTmux,
  selectVariables,
  startSession,
  whenEndIsKnown,
  written,
  type Answer,
} from './tmux.ts'

export type PaneLayout = 'single' | 'horizontal' | 'vertical' | 'tiled'

export interface UserSession {
  name: string
  panes: number
  attached: boolean
  /** Seconds since 1970. */
  created: number
  /** The `mark` of the launch; null if started by hand. */
  mark: string | null
}

export interface UserLaunch {
  name: string
  /** Absolute path; must exist. */
  directory: string
  /** Program of the first pane; other panes run the user's shell. */
  command: readonly string[]
  panes: number
  layout: PaneLayout
  /** Distinguishes sessions of the same name. */
  mark: string
  /** Milliseconds after which the program counts as started. */
  startMs: number
}

/** Session names are matched exactly, never by prefix. */
export interface UserMux {
  /** Returns sessions, newest last. Throws 503 `program-missing` if tmux is not installed. */
  list(): Promise<UserSession[]>
  /** Throws 409 if the name is in use, 503 with the program's last line if it did not start. */
  launch(launch: UserLaunch): Promise<void>
  /** Ends the session; succeeds if there is none. */
  kill(name: string): Promise<void>
}

export interface UserMuxOptions {
  /** `tmux -L` */
  socket: string
  /** A new server inherits all variables except `SVC_…`. */
  env: Readonly<Record<string, string | undefined>>
}

const FORMAT = '#{session_created}:#{session_attached}:#{@svc_wrap}:#{session_name}'
const LAYOUTS = { single: 'tiled', horizontal: 'even-horizontal', vertical: 'even-vertical', tiled: 'tiled' } as const
const LOOK_EVERY_MS = 25

export class UserTmux implements UserMux {
  readonly #socket: string
  readonly #env: Record<string, string>

  constructor({ socket, env }: UserMuxOptions) {
    this.#socket = socket
    this.#env = selectVariables(env, (name) => !name.startsWith('SVC_'))
  }

  async list(): Promise<UserSession[]> {
    const answer = await this.#run(['list-panes', '-a', '-F', FORMAT])
    if (answer.failed && !isGone(answer)) throw refusal('list its sessions', answer.stderr)
    const sessions = new Map<string, UserSession>()
    for (const line of answer.stdout.split('\n').filter(Boolean)) {
      const [created, attached, mark, ...rest] = line.split(':')
      const name = rest.join(':')
      const known = sessions.get(name)
      if (known) known.panes++
      else
        sessions.set(name, { name, panes: 1, attached: attached !== '0', created: Number(created), mark: mark || null })
    }
    return [...sessions.values()].sort((one, other) => one.created - other.created)
  }

  async launch(launch: UserLaunch): Promise<void> {
    const { name, mark } = launch
    const started = await startSession((args) => this.#run(args), '#{session_id} #{window_id} #{pane_id}', launch)
    const [session = '', window = '', pane = ''] = started.stdout.trim().split(' ')
    if (session === '') {
      if (started.stderr.includes('duplicate session'))
        throw conflict(`a session named ${name} already exists`, 'name-taken')
      throw refusal(`start session ${name}`, started.stderr)
    }
    try {
      await this.#must(['set-option', '-t', session, '@svc_wrap', mark], `mark session ${name}`)
      await this.#split(launch, window, pane)
      await this.#mustLive(launch, pane)
      await this.#must(['set-option', '-wu', '-t', window, 'remain-on-exit'], `finish session ${name}`)
    } catch (error) {
      await this.#run(['kill-session', '-t', session])
      throw error
    }
  }

  async kill(name: string): Promise<void> {
    const answer = await this.#run(['kill-session', '-t', `=${name}`])
    if (answer.failed && !isGone(answer)) throw refusal(`end session ${name}`, answer.stderr)
  }

  /** Applies the layout after each split, to make room for the next pane. */
  async #split({ name, directory, panes, layout }: UserLaunch, window: string, first: string): Promise<void> {
    for (let made = 1; made < panes; made++) {
      await this.#must(['split-window', '-d', '-t', first, '-c', literal(directory)], `split session ${name}`)
      await this.#must(['select-layout', '-t', window, LAYOUTS[layout]], `set the layout of session ${name}`)
    }
  }

  async #mustLive({ startMs, command }: UserLaunch, pane: string): Promise<void> {
    for (let waited = 0; waited <= startMs; waited += LOOK_EVERY_MS) {
      const asked = ['display-message', '-p', '-t', pane, PANE]
      const { stdout } = await whenEndIsKnown((args) => this.#must(args, 'inspect its pane'), asked)
      const [seen] = panes(stdout)
      if (seen?.dead) {
        const shown = await this.#run(['capture-pane', '-p', '-J', '-t', pane, '-S', '-20'])
        const last = written(shown.stdout).at(-1)?.trim()
        throw unavailable(
          `${command[0]} exited immediately with code ${seen.exitCode}${last ? `: ${last}` : ''}`,
          'program-ended',
        )
      }
      await sleep(LOOK_EVERY_MS)
    }
  }

  async #must(args: string[], what: string): Promise<Answer> {
    const answer = await this.#run(args)
    if (answer.failed) throw refusal(what, answer.stderr)
    return answer
  }

  #run(args: string[]): Promise<Answer> {
    return runTmux(['-L', this.#socket, ...args], this.#env)
  }
}
