// The sandbox of an agent, for a person who tries it with a command of their own.
import { join } from 'node:path'
import { unprocessable } from '../../../../platform/core/problem.ts'
import { findRepository } from '../../../../platform/git/git.ts'
import { checkoutAround } from '../../../../platform/git/source-folders.ts'
import type { World } from '../../../../platform/service/world.ts'
import type { AgentSpec } from '../../../../schemas/agent.ts'
import type { SandboxTrial } from '../../../../schemas/agent/sandbox-trial.ts'
import type { SandboxTrials } from '../../face.ts'
import type { AgentRow } from '../../record/agent-store.ts'
import type { RecordWorld } from '../../record/world.ts'
import type { settings } from '../../settings.ts'
import { commandOf, launchedSpec } from '../launch.ts'
import { gitUser, osUser, type OsUser } from '../os-user.ts'
import { sandboxCode, type Sandboxes, type Start } from './sandboxes.ts'

interface TrialWorld extends Pick<World<typeof settings>, 'config' | 'settings'> {
  sandboxes: Sandboxes
}

type Found = Pick<SandboxTrial, 'start' | 'sandbox' | 'reason'>

export class AgentSandboxTrials implements SandboxTrials {
  readonly #agents: RecordWorld['agents']
  readonly #world: TrialWorld

  constructor({ agents }: Pick<RecordWorld, 'agents'>, world: TrialWorld) {
    this.#agents = agents
    this.#world = world
  }

  async of(agentId: string): Promise<SandboxTrial> {
    const { config, settings } = this.#world
    const agent = await this.#agents.get(agentId)
    const current = ofProcess(agent)
    const spec = current ? launchedSpec(agent) : agent.spec
    const user = await osUser(spec.user, config.env)
    const directory = await this.#directory(agent, spec, user)
    const found = current ?? (await this.#next({ agent, spec, user, directory, worktree: agent.worktree }))
    return {
      agent_id: agent.id,
      agent_name: agent.name,
      ...found,
      runtime: spec.runtime,
      interactive: spec.interactive,
      command: commandOf(spec, settings.agentCommand, config.env.SHELL),
      directory,
      variables: Object.keys(spec.env),
      user: user?.name ?? null,
      uid: process.getuid?.() ?? null,
      home: user ? user.home : config.home,
    }
  }

  async #directory(agent: AgentRow, spec: AgentSpec, user: OsUser | null): Promise<string> {
    if (!spec.worktree) return spec.working_dir
    if (agent.worktree === null)
      throw unprocessable(
        `agent ${agent.name} has no worktree yet: its first start makes it, so start the agent once`,
        'directory-missing',
      )
    const { dataDir, env } = this.#world.config
    const checkout = checkoutAround(spec.working_dir, dataDir)
    const place = checkout ?? (await findRepository(spec.working_dir, gitUser(user, env)))
    return join(agent.worktree, place?.below ?? '')
  }

  async #next(start: Start): Promise<Found> {
    try {
      const { launch, finding } = await this.#world.sandboxes.prepare(start)
      return { start: 'next', sandbox: launch, reason: finding }
    } catch (error) {
      const code = sandboxCode(error)
      if (code === null) throw error
      return { start: 'next', sandbox: null, reason: { code, message: (error as Error).message } }
    }
  }
}

/** Null if none is running, or its sandbox is unknown. */
function ofProcess({ status, sandbox }: AgentRow): Found | null {
  if (status !== 'running' || sandbox === null) return null
  return { start: 'current', sandbox: sandbox.launch, reason: sandbox.finding }
}
