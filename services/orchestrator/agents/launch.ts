// Starts an agent's process: worktree, launch file, shell, terminal session. One call of tmux, nothing waited for.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { refuseFaults, unprocessable } from '../../../platform/core/problem.ts'
import { addWorktree, plainName, removeWorktree } from '../../../platform/git/worktree.ts'
import { interactiveFaults, type AgentSpec } from '../../../schemas/agent.ts'
import { docstoreOperations } from '../../../schemas/operations/docstore.ts'
import type { AgentsWorld } from './world.ts'
import { removeLaunchFile, writeLaunchFile } from './launch-file.ts'
import { asUser, findProgram, gitUser, osUser, type OsUser } from './os-user.ts'
import { sessionName, type AgentRow } from '../record/agent-store.ts'
import { hashOf, toolsToken } from '../session/launch-token.ts'

export interface Launched {
  launchFile: string
  worktree: string | null
  warnings: string[]
}

/**
 * Starts a process with the values that are on record as launched. Throws a Problem that says why it could not be
 * started; nothing is left behind then.
 */
export async function launch(service: AgentsWorld, agent: AgentRow, token: string): Promise<Launched> {
  const spec = launchedSpec(agent)
  // On record since a version that left in silence what it could not honour.
  refuseFaults(interactiveFaults(spec))
  const tools = toolsToken(agent.id, hashOf(token))
  service.secrets.learn(agent, token)
  const user = await osUser(spec.user, service.config.env)
  const [shell, place] = await Promise.all([chooseShell(service, spec), workplace(service, agent, spec, user)])
  const launchFile = await writeLaunchFile(
    service,
    {
      agent_id: agent.id,
      agent_name: spec.name,
      url: `${service.address().replace(/^http/, 'ws')}/ws/${agent.id}`,
      orchestrator_url: service.address(),
      tools_url: `${service.addressOf(docstoreOperations)}/mcp`,
      token,
      tools_token: tools,
      runtime: spec.runtime,
      interactive: spec.interactive,
      command: program(service, spec),
      directory: place.directory,
      additional_dirs: spec.additional_dirs,
      env: Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, value.reveal()])),
      model: spec.model,
      system_prompt: spec.system_prompt,
      resume_session: agent.program_session,
    },
    user,
  )
  const command = asUser(user, [
    shell.path,
    '-c',
    'exec "$@"',
    'svc-orch',
    process.execPath,
    service.bridge,
    '--launch',
    launchFile,
  ])
  try {
    const muxSession = await service.mux.launch({ name: sessionName(agent.id), directory: place.directory, command })
    service.log.info(
      { agent_id: agent.id, name: spec.name, pid: muxSession.pid, launch: agent.launches },
      'agent launched',
    )
  } catch (error) {
    await removeLaunchFile(service, { id: agent.id, launch_file: launchFile }, user)
    throw error
  }
  return { launchFile, worktree: place.worktree, warnings: shell.warnings }
}

/** What the process is or was started with; where an earlier version did not record it, what is configured. */
export function launchedSpec({ launched, spec }: AgentRow): AgentSpec {
  return launched ?? spec
}

/** For claude-code the program alone: the bridge adds its flags. */
function program(service: AgentsWorld, spec: AgentSpec): string[] {
  if (spec.command) return spec.command
  // A scripted agent has no program of its own to attach to.
  if (spec.interactive && spec.runtime === 'scripted') return [service.config.env.SHELL || 'sh']
  if (spec.runtime !== 'claude-code') return []
  const { agentCommand } = service.settings
  return existsSync(agentCommand) ? [agentCommand] : agentCommand.split(/\s+/).filter(Boolean)
}

/** zsh where it is asked for and installed; bash else, with a warning. */
async function chooseShell(service: AgentsWorld, spec: AgentSpec): Promise<{ path: string; warnings: string[] }> {
  const wanted = await findProgram(spec.shell, service.config.env)
  if (wanted) return { path: wanted, warnings: [] }
  const bash = spec.shell === 'bash' ? null : await findProgram('bash', service.config.env)
  if (!bash) throw unprocessable(`neither ${spec.shell} nor bash is installed: install one of them`, 'program-missing')
  service.log.warn({ name: spec.name, shell: spec.shell }, 'shell is not installed, bash is used')
  return { path: bash, warnings: [`${spec.shell} is not installed: bash is used in its place`] }
}

async function workplace(
  service: AgentsWorld,
  agent: AgentRow,
  spec: AgentSpec,
  user: OsUser | null,
): Promise<{ directory: string; worktree: string | null }> {
  const { id } = agent
  if (!spec.worktree) return { directory: spec.working_dir, worktree: agent.worktree }
  const [name, short] = [plainName(spec.name), id.slice(0, 8)]
  const path = agent.worktree ?? join(worktrees(service, user), `${name}-${short}`)
  const made = await addWorktree({
    directory: spec.working_dir,
    path,
    branch: `svc/${name}`,
    fallbackBranch: `svc/${name}-${short}`,
    user: gitUser(user, service.config.env),
  })
  return { directory: made.directory, worktree: made.path }
}

/** Our data folder is closed to other users: their worktrees stand in their own homes. */
function worktrees({ config }: AgentsWorld, user: OsUser | null): string {
  if (user === null) return join(config.dataDir, 'worktrees')
  if (user.home) return join(user.home, '.local', 'share', 'svc', 'worktrees')
  throw unprocessable(
    `OS user "${user.name}" has no home, which is where its worktree would stand: give it one, or leave "worktree" out`,
    'directory-missing',
  )
}

/** The user of the last start, else of the next; one that is gone by now is nobody. */
function userOf(service: AgentsWorld, agent: AgentRow): Promise<OsUser | null> {
  return osUser(agent.launched?.user ?? agent.spec.user, service.config.env).catch(() => null)
}

/** Removes the launch file of the last start. */
export async function forgetLaunch(service: AgentsWorld, agent: AgentRow): Promise<void> {
  const user = await userOf(service, agent)
  await removeLaunchFile(service, agent, user)
}

/** Removes the agent's worktree; work that is nowhere else is kept under a ref, which those who watch are told. */
export async function dropWorktree(service: AgentsWorld, agent: AgentRow): Promise<void> {
  if (agent.worktree === null) return
  const { removed, reason, preserved } = await removeWorktree(
    agent.worktree,
    gitUser(await userOf(service, agent), service.config.env),
  )
  const facts = { agent_id: agent.id, name: agent.name, worktree: agent.worktree }
  if (!removed) {
    service.log.warn({ ...facts, reason }, 'worktree is kept')
    service.streams.publish(agent.id, 'worktree_kept', `worktree ${agent.worktree} is kept: ${reason}`)
  } else if (preserved !== null) {
    service.log.warn({ ...facts, ref: preserved }, 'work that was not committed is kept under a ref')
    service.streams.publish(agent.id, 'work_preserved', `work of ${agent.worktree} is kept under ${preserved}`)
  }
}
