import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { refuseFaults, unprocessable } from '../../../platform/core/problem.ts'
import { addMirrorClone } from '../../../platform/git/mirror-clone.ts'
import { checkoutAround } from '../../../platform/git/source-folders.ts'
import { addWorktree, plainName, removeWorktree } from '../../../platform/git/worktree.ts'
import { interactiveFaults, type AgentSpec } from '../../../schemas/agent.ts'
import { docstoreOperations } from '../../../schemas/operations/docstore.ts'
import { localUrl } from '../../../schemas/operations/operation.ts'
import { everyService } from '../../../schemas/operations/services.ts'
import type { Config } from '../../../platform/core/config.ts'
import type { World } from '../../../platform/service/world.ts'
import type { Launch } from '../../../schemas/agent/launch.ts'
import type { StreamHub } from '../events/streams.ts'
import type { AgentSecrets } from '../session/agent-secrets.ts'
import type { settings } from '../settings.ts'
import { removeLaunchFile, sweepLaunchFiles, writeLaunchFile } from './launch-file.ts'
import { asUser, findProgram, gitUser, osUser, type OsUser } from './os-user.ts'
import { SHELL_LINE } from './shell-line.ts'
import { sessionName, type AgentRow } from '../record/agent-store.ts'
import type { StartedSandbox } from '../record/started-sandbox.ts'
import { hashOf, toolsToken } from '../session/launch-token.ts'
import type { Sandboxes } from './sandbox/sandboxes.ts'

export interface Launched {
  launchFile: string
  worktree: string | null
  warnings: string[]
}

export interface LaunchWorld extends Pick<
  World<typeof settings>,
  'settings' | 'config' | 'log' | 'mux' | 'bridge' | 'address' | 'addressOf'
> {
  secrets: AgentSecrets
  sandboxes: Sandboxes
}

export class Launcher {
  readonly #world: LaunchWorld
  readonly #streams: StreamHub

  constructor(world: LaunchWorld, streams: StreamHub) {
    this.#world = world
    this.#streams = streams
  }

  /** `record` stores the sandbox before the process starts: after a crash it is known what the process may reach. */
  async launch(agent: AgentRow, token: string, record: (sandbox: StartedSandbox) => Promise<void>): Promise<Launched> {
    const { config, log, mux, sandboxes, secrets, settings } = this.#world
    const spec = launchedSpec(agent)
    // Earlier versions stored specs with these errors.
    refuseFaults(interactiveFaults(spec))
    secrets.learn(agent, token)
    const user = await osUser(spec.user, config.env)
    const [shell, place] = await Promise.all([chooseShell(this.#world, spec), workplace(config, agent, spec, user)])
    const command = commandOf(spec, settings.agentCommand, config.env.SHELL)
    const sandbox = await sandboxes.prepare({ agent, spec, user, ...place })
    await record(sandbox)
    const { env, ...launch } = launchOf(agent, token)
    const file = {
      ...this.#addresses(agent),
      ...launch,
      env: { ...this.#serviceAddresses(), ...env },
      command,
      directory: place.directory,
      sandbox: sandbox.launch,
    }
    const launchFile = await writeLaunchFile(this.#world, file, user)
    const bridge = [process.execPath, this.#world.bridge, '--launch', launchFile]
    const program = asUser(user, [shell.path, '-c', SHELL_LINE, 'svc-orch', ...bridge])
    try {
      const name = sessionName(agent.id)
      const { pid } = await mux.launch({ name, directory: place.directory, command: program })
      log.info({ agent_id: agent.id, name: spec.name, pid, launch: agent.launches }, 'agent launched')
    } catch (error) {
      await removeLaunchFile(this.#world, { id: agent.id, launch_file: launchFile }, user)
      throw error
    }
    const warnings = [...shell.warnings, ...(sandbox.warnings ?? [])]
    return { launchFile, worktree: place.worktree, warnings }
  }

  /** Succeeds if there is no session. */
  async killSession(agentId: string): Promise<void> {
    await this.#world.mux.kill(sessionName(agentId))
  }

  sweepFiles(mayRead: ReadonlySet<string>): Promise<void> {
    return sweepLaunchFiles(this.#world, mayRead)
  }

  async removeFile(agent: AgentRow): Promise<void> {
    await removeLaunchFile(this.#world, agent, await userOf(this.#world.config, agent))
  }

  async removePrivateFolder(agent: AgentRow): Promise<void> {
    await this.#world.sandboxes.remove(agent, await userOf(this.#world.config, agent))
  }

  /** Keeps uncommitted work under a git ref, which is logged and published. */
  async dropWorktree(agent: AgentRow): Promise<void> {
    if (agent.worktree === null) return
    const { config, log } = this.#world
    const user = gitUser(await userOf(config, agent), config.env)
    const { removed, reason, preserved } = await removeWorktree(agent.worktree, user)
    const facts = { agent_id: agent.id, name: agent.name, worktree: agent.worktree }
    if (!removed) {
      log.warn({ ...facts, reason }, 'worktree kept')
      this.#streams.publish(agent.id, 'worktree_kept', `worktree ${agent.worktree} is kept: ${reason}`)
    } else if (preserved !== null) {
      log.warn({ ...facts, ref: preserved }, 'uncommitted work kept under a ref')
      this.#streams.publish(agent.id, 'work_preserved', `work of ${agent.worktree} is kept under ${preserved}`)
    }
  }

  #addresses({ id }: AgentRow): Pick<Launch, 'url' | 'orchestrator_url' | 'tools_url'> {
    const orchestrator_url = this.#world.address()
    const url = `${orchestrator_url.replace(/^http/, 'ws')}/ws/${id}`
    return { url, orchestrator_url, tools_url: `${this.#world.addressOf(docstoreOperations)}/mcp` }
  }

  /** Variables with the addresses that are not the default ones: a sandbox hides the file that names them. */
  #serviceAddresses(): Record<string, string> {
    const entries = everyService.flatMap((group) => {
      const address = this.#world.addressOf(group)
      return address === localUrl(group, group.port) ? [] : [[`SVC_${group.service.toUpperCase()}_URL`, address]]
    })
    return Object.fromEntries(entries) as Record<string, string>
  }
}

function launchOf(agent: AgentRow, token: string) {
  const { name, runtime, interactive, additional_dirs, env, model, system_prompt } = launchedSpec(agent)
  return {
    agent_id: agent.id,
    agent_name: name,
    token,
    tools_token: toolsToken(agent.id, hashOf(token)),
    runtime,
    interactive,
    additional_dirs,
    env: Object.fromEntries(Object.entries(env).map(([variable, value]) => [variable, value.reveal()])),
    model,
    system_prompt,
    resume_session: agent.program_session,
  }
}

/** Falls back to the current spec: earlier versions recorded no other. */
export function launchedSpec({ launched, spec }: AgentRow): AgentSpec {
  return launched ?? spec
}

/** The bridge adds the flags of claude-code. */
export function commandOf(spec: AgentSpec, agentCommand: string, shell: string | undefined): string[] {
  if (spec.command) return spec.command
  // A scripted agent has no program to attach to.
  if (spec.interactive && spec.runtime === 'scripted') return [shell || 'sh']
  if (spec.runtime !== 'claude-code') return []
  return existsSync(agentCommand) ? [agentCommand] : agentCommand.split(/\s+/).filter(Boolean)
}

async function chooseShell(
  { config, log }: Pick<World, 'config' | 'log'>,
  spec: AgentSpec,
): Promise<{ path: string; warnings: string[] }> {
  const wanted = await findProgram(spec.shell, config.env)
  if (wanted) return { path: wanted, warnings: [] }
  const bash = spec.shell === 'bash' ? null : await findProgram('bash', config.env)
  if (!bash) throw unprocessable(`neither ${spec.shell} nor bash is installed: install one of them`, 'program-missing')
  log.warn({ name: spec.name, shell: spec.shell }, 'shell not installed, using bash')
  return { path: bash, warnings: [`${spec.shell} is not installed: using bash`] }
}

async function workplace(
  config: Config,
  agent: AgentRow,
  spec: AgentSpec,
  user: OsUser | null,
): Promise<{ directory: string; worktree: string | null }> {
  const { id } = agent
  if (!spec.worktree) return { directory: spec.working_dir, worktree: agent.worktree }
  const [name, short] = [plainName(spec.name), id.slice(0, 8)]
  const path = agent.worktree ?? join(worktrees(config, user), `${name}-${short}`)
  const checkout = checkoutAround(spec.working_dir, config.dataDir)
  if (checkout !== null) {
    const directory = await addMirrorClone({ checkout, path, branch: `svc/${name}`, user: gitUser(user, config.env) })
    return { directory, worktree: path }
  }
  const made = await addWorktree({
    directory: spec.working_dir,
    path,
    branch: `svc/${name}`,
    fallbackBranch: `svc/${name}-${short}`,
    user: gitUser(user, config.env),
  })
  return { directory: made.directory, worktree: made.path }
}

/** Other users cannot access our data directory. */
function worktrees({ dataDir }: Config, user: OsUser | null): string {
  if (user === null) return join(dataDir, 'worktrees')
  if (user.home) return join(user.home, '.local', 'share', 'svc', 'worktrees')
  throw unprocessable(
    `OS user "${user.name}" has no home directory for its worktree: create one, or omit "worktree"`,
    'directory-missing',
  )
}

/** Returns the user of the last start, else of the next; null for the daemon's own or a deleted user. */
function userOf(config: Config, agent: AgentRow): Promise<OsUser | null> {
  return osUser(agent.launched?.user ?? agent.spec.user, config.env).catch(() => null)
}
