import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { apply } from 'json-merge-patch'
import type { Actor } from '../../../platform/core/actor.ts'
import { invalid, refuseFaults, unprocessable } from '../../../platform/core/problem.ts'
import { ClosedSet } from '../../../platform/files/closed-set.ts'
import { mapSecrets } from '../../../platform/secrets/vault.ts'
import { checkoutAround } from '../../../platform/git/source-folders.ts'
import { repositoryOf } from '../../../platform/git/worktree.ts'
import {
  canonicalAgent,
  interactiveFaults,
  needsCommand,
  type AgentInput,
  type AgentPatch,
  type AgentSpec,
} from '../../../schemas/agent.ts'
import { writtenSandbox, type SandboxSpec } from '../../../schemas/sandbox/sandbox.ts'
import { MASK, Secret } from '../../../schemas/secret.ts'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import type { Agents } from '../face.ts'
import { checkPolicy } from '../policy/validation.ts'
import type { Configured } from './launch-file.ts'
import { gitUser, osUser } from './os-user.ts'

/** Folders of the data directory that the caller may use; undefined: those of every agent. */
type Own = readonly string[] | undefined

/** `Own` of a caller: the directories of an agent, and those that the changed agent has. */
export async function ownDirectories(
  agents: Pick<Agents, 'directories'>,
  { agent }: Actor,
  changed?: string,
): Promise<Own> {
  if (agent === undefined) return undefined
  const open = [agent, ...(changed === undefined ? [] : [changed])].map((id) => agents.directories(id))
  return (await Promise.all(open)).flatMap((each) => each ?? [])
}

/** Throws 400 for an invalid spec, 422 for a missing or closed directory, or a missing user. */
export async function checkSpec(configured: Configured, spec: AgentSpec, own?: Own): Promise<void> {
  const { env } = configured.config
  checkPolicy(spec.tool_policy)
  refuseFaults(interactiveFaults(spec))
  if (spec.name.trim() === '')
    throw invalid('name should not be empty', [{ path: 'name', message: 'should not be empty', code: 'invalid-value' }])
  if (needsCommand(spec))
    throw invalid(`runtime ${spec.runtime} needs "command": the program and its arguments`, [
      { path: 'command', message: `is needed for runtime ${spec.runtime}`, code: 'missing-member' },
    ])
  await checkDirectory(configured, { member: 'working_dir', path: spec.working_dir, own })
  for (const path of spec.additional_dirs) await checkDirectory(configured, { member: 'additional_dirs', path, own })
  const user = await osUser(spec.user, env)
  const checkouts = [spec.working_dir, ...spec.additional_dirs].filter((path) =>
    checkoutAround(path, configured.config.dataDir),
  )
  if (user !== null && checkouts.length > 0)
    throw unprocessable(
      `${checkouts[0]} is in the data directory of svc, which OS user "${user.name}" cannot enter: omit "user", or use a directory of that user`,
      'directory-missing',
    )
  if (
    spec.worktree &&
    checkouts[0] !== spec.working_dir &&
    (await repositoryOf(spec.working_dir, gitUser(user, env))) === null
  ) {
    throw unprocessable(
      `working_dir ${spec.working_dir} is not in a git repository, so it cannot have a worktree: ` +
        'omit "worktree", or set a directory of a repository',
      'not-a-repository',
    )
  }
}

/** Throws 422. */
export async function checkDirectory(
  { config }: Configured,
  { member, path, own }: { member: string; path: string; own: Own },
): Promise<void> {
  const refusal = (reason: string) => unprocessable(`${member} "${path}" ${reason}`, 'directory-missing')
  if (!isAbsolute(path)) throw refusal('is not an absolute path: start it with /')
  const found = await stat(path).catch(() => null)
  if (!found) throw refusal('does not exist: create it first, or name one that exists')
  if (!found.isDirectory()) throw refusal('is not a directory: name a directory')
  const real = await realpath(path).catch(() => path)
  new ClosedSet(config).refuse(member, path, { real, own })
}

/** JSON merge patch (RFC 7396): null restores the default, an env value of *** keeps the stored one. Throws 400. */
export function mergePatch(spec: AgentSpec, patch: AgentPatch, defaultSandbox: SandboxSpec): AgentSpec {
  const { config, ...top } = patch
  const changes: Record<string, unknown> = { ...config, ...top }
  for (const member of ['name', 'working_dir']) {
    if (changes[member] === null)
      throw invalid(`${member} cannot be removed: set another value`, [
        { path: member, message: 'cannot be null', code: 'invalid-value' },
      ])
  }
  const present = mapSecrets({ ...spec, sandbox: writtenSandbox(spec.sandbox) }, () => MASK) as Record<string, any>
  const merged = apply<Record<string, any>>(present, changes)
  if (merged.tool_policy) checkPolicy(merged.tool_policy as ToolPolicy)
  const members = Object.entries(merged).filter(([, value]) => value !== null)
  const input = {
    ...Object.fromEntries(members),
    env: unmask(spec.env, (merged.env ?? {}) as Record<string, string>),
  }
  return canonicalAgent(input as unknown as AgentInput & { env: Record<string, Secret> }, {
    restart: 'never',
    sandbox: defaultSandbox,
  })
}

function unmask(stored: Record<string, Secret>, env: Record<string, string>): Record<string, Secret> {
  const secret = (name: string, value: string): Secret => {
    if (value !== MASK) return new Secret(value)
    if (stored[name]) return stored[name]
    throw invalid(`env.${name} is ${MASK}, which keeps the stored value, but none is stored: write the value`, [
      { path: `env.${name}`, message: 'has no stored value', code: 'invalid-value' },
    ])
  }
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, secret(name, value)]))
}
