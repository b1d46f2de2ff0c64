// Starts an agent's process: token, worktree, launch file, shell, session. One call of tmux, nothing waited for.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unprocessable } from '../../platform/problem.ts'
import { addWorktree, plainName, removeWorktree } from '../../platform/worktree.ts'
import type { AgentSpec } from '../../schemas/agent.ts'
import type { Core } from './core.ts'
import { ownLaunchFile, removeLaunchFile, writeLaunchFile } from './launch-file.ts'
import { asUser, findProgram, osUser } from './os-user.ts'
import { sessionName, type AgentRow } from './store.ts'

export interface Launched {
  launchFile: string
  worktree: string | null
  warnings: string[]
}

/** A new secret of an agent, and what of it is kept. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: tokenHash(token) }
}

function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function tokenMatches(token: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(tokenHash(token)), Buffer.from(hash))
}

/** Throws a Problem that says why the process could not be started; nothing is left behind then. */
export async function launch(core: Core, agent: AgentRow, token: string): Promise<Launched> {
  const { spec } = agent
  const [user, shell, place] = await Promise.all([
    osUser(spec.user, core.config.env),
    chooseShell(core, spec),
    workplace(core, agent),
  ])
  const launchFile = await writeLaunchFile(
    core,
    {
      agent_id: agent.id,
      agent_name: spec.name,
      url: `${core.socketUrl()}/ws/${agent.id}`,
      orchestrator_url: core.httpUrl(),
      token,
      runtime: spec.runtime,
      interactive: spec.interactive,
      command: program(core, spec),
      directory: place.directory,
      additional_dirs: spec.additional_dirs,
      env: Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, value.reveal()])),
      model: spec.model,
      system_prompt: spec.system_prompt,
      resume_session: agent.programSession,
    },
    user,
  )
  const command = asUser(user, [
    shell.path,
    '-c',
    'exec "$@"',
    'svc-orch',
    process.execPath,
    core.bridge,
    '--launch',
    launchFile,
  ])
  try {
    const session = await core.mux.launch({ name: sessionName(agent.id), directory: place.directory, command })
    core.log.info({ agent_id: agent.id, name: spec.name, pid: session.pid, launch: agent.launches }, 'agent launched')
  } catch (error) {
    await removeLaunchFile(launchFile, user)
    throw error
  }
  return { launchFile, worktree: place.worktree, warnings: shell.warnings }
}

/** For claude-code the program alone: the bridge adds its flags. */
function program(core: Core, spec: AgentSpec): string[] {
  if (spec.command) return spec.command
  // A scripted agent has no program of its own to attach to.
  if (spec.interactive && spec.runtime === 'scripted') return [core.config.env.SHELL || 'sh']
  if (spec.runtime !== 'claude-code') return []
  const { agentCommand } = core.config
  return existsSync(agentCommand) ? [agentCommand] : agentCommand.split(/\s+/).filter(Boolean)
}

/** zsh where it is asked for and installed; bash else, with a warning. */
async function chooseShell(core: Core, spec: AgentSpec): Promise<{ path: string; warnings: string[] }> {
  const wanted = await findProgram(spec.shell, core.config.env)
  if (wanted) return { path: wanted, warnings: [] }
  const bash = spec.shell === 'bash' ? null : await findProgram('bash', core.config.env)
  if (!bash) throw unprocessable(`neither ${spec.shell} nor bash is installed: install one of them`)
  core.log.warn({ name: spec.name, shell: spec.shell }, 'shell is not installed, bash is used')
  return { path: bash, warnings: [`${spec.shell} is not installed: bash is used in its place`] }
}

async function workplace(core: Core, agent: AgentRow): Promise<{ directory: string; worktree: string | null }> {
  const { spec, id } = agent
  if (!spec.worktree) return { directory: spec.working_dir, worktree: agent.worktree }
  const [name, short] = [plainName(spec.name), id.slice(0, 8)]
  const path = agent.worktree ?? join(core.config.dataDir, 'worktrees', `${name}-${short}`)
  const made = await addWorktree({
    directory: spec.working_dir,
    path,
    branch: `svc/${name}`,
    fallbackBranch: `svc/${name}-${short}`,
    env: core.config.env,
  })
  return { directory: made.directory, worktree: made.path }
}

/** Removes the launch file of the last start. */
export async function forgetLaunch(core: Core, agent: AgentRow): Promise<void> {
  const user = await osUser(agent.launched?.user ?? agent.spec.user, core.config.env).catch(() => null)
  await removeLaunchFile(agent.launchFile ?? ownLaunchFile(core, agent.id), user)
}

/** Removes the agent's worktree unless it holds work that is nowhere else. */
export async function dropWorktree(core: Core, agent: AgentRow): Promise<void> {
  if (agent.worktree === null) return
  const { removed, reason } = await removeWorktree(agent.worktree, core.config.env)
  if (!removed) core.log.warn({ agent_id: agent.id, worktree: agent.worktree, reason }, 'worktree is kept')
}
