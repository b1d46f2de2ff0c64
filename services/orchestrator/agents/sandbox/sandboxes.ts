// The sandbox of an agent's next start: decided, composed and recorded before its process starts.
import { timestamp, type Clock } from '../../../../platform/core/clock.ts'
import { Problem } from '../../../../platform/core/problem.ts'
import type { SandboxProbe } from '../../../../platform/sandbox/probe.ts'
import type { World } from '../../../../platform/service/world.ts'
import type { AgentSpec } from '../../../../schemas/agent.ts'
import type { LaunchSandbox, SandboxRules } from '../../../../schemas/sandbox.ts'
import type { AgentRow } from '../../record/agent-store.ts'
import { protectionOf, type SandboxFinding, type StartedSandbox } from '../../record/started-sandbox.ts'
import type { OsUser } from '../os-user.ts'
import { decideSandbox } from './decision.ts'
import { composeSandbox, fromHome, tooWide } from './launch-sandbox.ts'
import { emptyFolder, privateFolder, removeFolder } from './private-folder.ts'
import { hostSockets } from './host-sockets.ts'

export type Probe = (user: OsUser | null) => Promise<SandboxProbe>

interface SandboxWorld extends Pick<World, 'config' | 'bridge' | 'desired'> {
  clock: Clock
  probe: Probe
}

export interface Start {
  agent: AgentRow
  spec: AgentSpec
  user: OsUser | null
  /** Its working directory or worktree. */
  directory: string
  worktree: string | null
}

export class Sandboxes {
  readonly #world: SandboxWorld

  constructor(world: SandboxWorld) {
    this.#world = world
  }

  /** Throws 422 if its sandbox cannot be kept. Empties its private folder. */
  async prepare(start: Start): Promise<StartedSandbox> {
    const { config, clock } = this.#world
    const { agent, user, spec } = start
    const before = agent.sandbox
    const home = user?.home ?? config.home
    const directories = directoriesOf(start)
    const { rules, finding } = await decideSandbox({
      wanted: spec.sandbox,
      wide: tooWide(config, home, [...directories, ...writtenIn(spec).map((path) => fromHome(path, home))]),
      hadSandbox: Boolean(before?.launch),
      hasMoved: before?.directories.join('\0') !== directories.join('\0'),
      probe: () => this.#world.probe(user),
    })
    const composed = rules === null ? NONE : await this.#compose(rules, start, { home, directories })
    return {
      ...composed,
      finding,
      fault: null,
      directories,
      ...protectionOf(composed.launch, before, timestamp(clock)),
      tampered: [],
      refused: before?.refused ?? [],
    }
  }

  async #compose(
    rules: SandboxRules,
    { agent, spec, user }: Start,
    { home, directories }: { home: string; directories: string[] },
  ): Promise<Composed> {
    const { config, bridge, desired } = this.#world
    const tmp = privateFolder(config, agent.id, user)
    await emptyFolder(tmp, user, config.env.PATH)
    const sockets = await hostSockets(rules.sockets, { spec, user, env: config.env, home })
    const closedToIt = spec.may.includes('source') ? [] : desired.places()
    return composeSandbox({ ...rules, sockets }, { config, bridge, home, directories, desired: closedToIt, tmp })
  }

  /** Removes its private folder. */
  async remove({ id }: AgentRow, user: OsUser | null): Promise<void> {
    const { config } = this.#world
    if (user && !user.home) return
    await removeFolder(privateFolder(config, id, user), user, config.env.PATH)
  }
}

interface Composed {
  launch: LaunchSandbox | null
  opened: string[]
  absent: string[]
}

const NONE: Composed = { launch: null, opened: [], absent: [] }

/** Of the process: without `working_dir` if it works in a worktree. */
const directoriesOf = ({ spec, directory, worktree }: Start): string[] => [
  ...new Set([spec.worktree && worktree !== null ? worktree : directory, ...spec.additional_dirs]),
]

const writtenIn = ({ sandbox }: AgentSpec): string[] => (sandbox === null || sandbox === 'auto' ? [] : sandbox.write)

/** The record of a start that failed before its process was started. */
export function failedStart(before: StartedSandbox | null, fault: SandboxFinding): StartedSandbox {
  const none = { ...NONE, directories: [], tampered: [], refused: [], finding: null, ...protectionOf(null, null, '') }
  return { ...(before ?? none), fault }
}

/** The code of a sandbox that cannot be kept; null for another error. */
export function sandboxCode(error: unknown): string | null {
  const code = error instanceof Problem ? error.code : null
  return code?.startsWith('sandbox-') ? code : null
}
