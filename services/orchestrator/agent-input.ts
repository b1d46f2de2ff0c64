// Checks what an agent is to be made of, and merges patches into it.
import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { invalid, unprocessable } from '../../platform/problem.ts'
import { repositoryOf } from '../../platform/worktree.ts'
import { canonicalAgent, needsCommand, type AgentInput, type AgentPatch, type AgentSpec } from '../../schemas/agent.ts'
import { MASK, Secret } from '../../schemas/secret.ts'
import { policyFaults, type ToolPolicy } from '../../schemas/tool-policy.ts'
import type { Core } from './core.ts'
import { osUser } from './os-user.ts'

/** Throws 400 for a config that makes no sense, 422 for a directory or user that does not exist. */
export async function checkSpec(core: Core, spec: AgentSpec): Promise<void> {
  checkPolicy(spec.tool_policy)
  if (spec.name.trim() === '') throw invalid('name should not be empty', [{ path: 'name', message: 'should not be empty' }])
  if (needsCommand(spec)) throw invalid(`runtime ${spec.runtime} needs "command": the program and its arguments`, [{ path: 'command', message: `is needed for runtime ${spec.runtime}` }])
  await checkDirectory('working_dir', spec.working_dir)
  for (const directory of spec.additional_dirs) await checkDirectory('additional_dirs', directory)
  await osUser(spec.user, core.config.env)
  if (spec.worktree && (await repositoryOf(spec.working_dir, core.config.env)) === null) {
    throw unprocessable(`working_dir ${spec.working_dir} is not in a git repository, so it can have no worktree: leave "worktree" out, or name a folder of a repository`)
  }
}

/** Throws 400. */
export function checkPolicy(policy: ToolPolicy): void {
  const faults = policyFaults(policy, ['tool_policy'])
  if (faults.length === 0) return
  throw invalid(
    faults.map((fault) => `${fault.message}: ${fault.hint}`).join('; '),
    faults.map((fault) => ({ path: fault.path.join('.'), message: fault.message })),
  )
}

/** Throws 422 for a path that is no directory. */
export async function checkDirectory(member: string, path: string): Promise<void> {
  if (!isAbsolute(path)) throw unprocessable(`${member} "${path}" is not an absolute path: write it from the root`)
  const found = await stat(path).catch(() => null)
  if (!found) throw unprocessable(`${member} "${path}" does not exist: create it first, or name one that exists`)
  if (!found.isDirectory()) throw unprocessable(`${member} "${path}" is not a directory: name a directory`)
}

/** JSON merge patch: null puts the default back, an env value of *** keeps the stored one. */
export function mergePatch(spec: AgentSpec, patch: AgentPatch): AgentSpec {
  const { config, ...top } = patch
  const changes: Record<string, unknown> = { ...config, ...top }
  if (changes.name === null) throw invalid('name cannot be removed: give the agent another one', [{ path: 'name', message: 'cannot be null' }])
  if (changes.working_dir === null) throw invalid('working_dir cannot be removed: name another directory', [{ path: 'working_dir', message: 'cannot be null' }])
  const merged: Record<string, unknown> = { ...spec, ...changes, env: mergeEnv(spec.env, changes.env as Record<string, string | null> | null | undefined) }
  if ('tool_policy' in changes && changes.tool_policy !== null) checkPolicy({ ...(changes.tool_policy as ToolPolicy) })
  const present = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
  return canonicalAgent(present as unknown as AgentInput & { env: Record<string, Secret> }, { restart: 'never' })
}

function mergeEnv(present: Record<string, Secret>, patch: Record<string, string | null> | null | undefined): Record<string, Secret> {
  if (patch === undefined) return present
  if (patch === null) return {}
  const merged = { ...present }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else if (value !== MASK) merged[name] = new Secret(value)
    else if (!merged[name]) throw invalid(`env.${name} is ${MASK}, which keeps the stored value, but none is stored: write the value`, [{ path: `env.${name}`, message: 'has no stored value' }])
  }
  return merged
}
