// The sandbox of an agent's next start: decided, composed and recorded before its process starts.
import { timestamp, type Clock } from '../../../../platform/core/clock.ts'
import { Problem } from '../../../../platform/core/problem.ts'
import { SandboxFault } from '../../../../platform/sandbox/fault.ts'
import type { SandboxProbe } from '../../../../platform/sandbox/probe.ts'
import type { World } from '../../../../platform/service/world.ts'
import type { AgentSpec } from '../../../../schemas/agent.ts'
import { SANDBOX_DEFAULTS } from '../../../../schemas/sandbox/sandbox.ts'
import type { AgentRow } from '../../record/agent-store.ts'
import { protectionOf, type SandboxFinding, type StartedSandbox } from '../../record/started-sandbox.ts'
import type { OsUser } from '../os-user.ts'
import { decideSandbox } from './decision.ts'
import { composeSandbox, mountFault, type ComposedSandbox } from './launch-sandbox.ts'
import { makePrivateFolder, privateFolder, removePrivateFolder } from './private-folder.ts'
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

  /** Throws 422 if its sandbox cannot be kept. */
  async prepare(start: Start): Promise<StartedSandbox> {
    const { config, clock } = this.#world
    const { agent, user, spec } = start
    const before = agent.sandbox
    const home = user?.home ?? config.home
    const directories = directoriesOf(start)
    const composed = await this.#compose(start, { home, directories })
    const finding = await decideSandbox({
      wanted: spec.sandbox,
      fault: this.#faultOf(composed, user, home),
      hadSandbox: Boolean(before?.launch),
      hasMoved: before?.directories.join('\0') !== directories.join('\0'),
      probe: () => this.#world.probe(user),
    })
    const kept = finding === null ? (composed ?? NONE) : NONE
    return {
      ...kept,
      finding,
      fault: null,
      directories,
      ...protectionOf(kept.launch, before, timestamp(clock)),
      tampered: [],
      refused: before?.refused ?? [],
    }
  }

  #faultOf(composed: ComposedSandbox | null, user: OsUser | null, home: string): SandboxFault | null {
    if (composed !== null) return canSee(user) ? mountFault(composed.launch, this.#world.config, home) : null
    if (user === null) return null
    const message = `OS user "${user.name}" has no home directory of its own for the private /tmp of its sandbox`
    return new SandboxFault('sandbox-failed', message, 'create one, or write sandbox: off')
  }

  /** Null for `sandbox: off`, and for a user that cannot have a private folder. */
  async #compose(
    { agent, spec, user }: Start,
    { home, directories }: { home: string; directories: string[] },
  ): Promise<ComposedSandbox | null> {
    if (spec.sandbox === null) return null
    const { config, bridge, desired } = this.#world
    const rules = spec.sandbox === 'auto' ? SANDBOX_DEFAULTS : spec.sandbox
    const tmp = privateFolder(config, agent.id, user)
    if (tmp === null || (user && !(await makePrivateFolder(tmp, user, config.env.PATH)))) return null
    const sockets = await hostSockets(rules.sockets, { spec, user, env: config.env, home })
    const closedToIt = spec.may.includes('source') ? [] : desired.places()
    return composeSandbox({ ...rules, sockets }, { config, bridge, home, directories, desired: closedToIt, tmp })
  }

  /** Removes its private folder. */
  async remove({ id }: AgentRow, user: OsUser | null): Promise<void> {
    const { config } = this.#world
    const tmp = privateFolder(config, id, user)
    if (tmp !== null) await removePrivateFolder(tmp, user, config.env.PATH)
  }
}

const NONE = { launch: null, opened: [], absent: [], warnings: [] }

/** The daemon may not see the files of another user; then the bridge finds out. */
const canSee = (user: OsUser | null) => user === null || process.getuid?.() === 0

/** Of the process: without `working_dir` if it works in a worktree. */
const directoriesOf = ({ spec, directory, worktree }: Start): string[] => [
  ...new Set([spec.worktree && worktree !== null ? worktree : directory, ...spec.additional_dirs]),
]

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
