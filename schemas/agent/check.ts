// Errors of agents beyond their schema.
import { isAbsolute } from 'node:path'
import {
  directoryFaults,
  eitherPolicy,
  oneFault,
  resolvePath,
  type Fault,
  type ManifestContext,
  type Path,
} from '../kind.ts'
import type { RoomSpec } from '../room.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { agentSandboxFaults } from '../sandbox/agent-faults.ts'
import { sandboxInputFaults } from '../sandbox/faults.ts'
import type { ToolPolicy } from '../tools/policy.ts'
import { policyFaults } from '../tools/policy-faults.ts'
import { policyWarnings } from '../tools/policy-warnings.ts'
import type { AgentInput, AgentManifest, AgentPatch } from './input.ts'
import { interactiveFaults } from './interactive.ts'

/** Fields that checks use; invalid ones are already removed. */
interface Checked {
  working_dir?: string
  additional_dirs?: (string | undefined)[] | null
  tool_policy?: ToolPolicy | null
  sandbox?: Sandbox | null
}

interface Program {
  runtime?: string
  command?: string[] | null
}

export function checkAgentInput(input: AgentInput): Fault[] {
  return [
    ...nameFaults(input.name),
    ...memberFaults(input, []),
    ...commandFaults(input, 'command'),
    ...interactiveFaults(input),
  ]
}

/** Errors of a patch that do not depend on the agent, at top level and below `config`. */
export function checkAgentPatch(patch: AgentPatch): Fault[] {
  return [
    ...(patch.name === undefined ? [] : nameFaults(patch.name)),
    ...memberFaults(patch, []),
    ...memberFaults(patch.config ?? {}, ['config']),
  ]
}

export function checkDirectoryInput(input: { path: string }): Fault[] {
  return directoryFault(input.path, ['path'])
}

export function checkAgentManifest(manifest: AgentManifest, context: ManifestContext): Fault[] {
  return [
    ...(manifest.tool_policy ? policyFaults(manifest.tool_policy, ['tool_policy']) : []),
    ...policyWarnings(manifest.tool_policy ?? {}, ['tool_policy']),
    ...eitherPolicy(manifest),
    ...roleFaults(manifest, context),
    ...commandFaults(manifest, 'runtime'),
    ...interactiveFaults(manifest),
    ...agentSandboxFaults(manifest, context),
    ...directories(manifest, []).flatMap(([written, path]) => directoryFaults(written, path, context)),
    ...worktreeFaults(manifest, context),
    ...userFaults(manifest, context),
  ]
}

function worktreeFaults({ worktree, working_dir: written }: AgentManifest, context: ManifestContext): Fault[] {
  if (!worktree || written === undefined) return []
  const folder = resolvePath(written, context)
  if (context.directoryFault(folder) !== null || context.worktreeBase(folder) !== null) return []
  return oneFault(
    ['worktree'],
    'not-a-repository',
    `working_dir "${written}" is not in a git repository, so it cannot have a worktree`,
    'remove "worktree", or use a directory of a repository',
  )
}

function userFaults(manifest: AgentManifest, context: ManifestContext): Fault[] {
  const { user } = manifest
  if (user === undefined || user === null) return []
  return directories(manifest, [])
    .filter(([written]) => context.worktreeBase(resolvePath(written, context)) === 'checkout')
    .flatMap(([written, path]) =>
      oneFault(
        path,
        'directory-private',
        `directory "${written}" is in the checkout of a git source, which OS user "${user}" cannot enter`,
        'remove "user", or use a directory of that user',
      ),
    )
}

/** A membership in a room's list and in the agent's manifest must have the same role. */
function roleFaults({ name, rooms }: AgentManifest, context: ManifestContext): Fault[] {
  return (rooms ?? []).flatMap((membership, index) => {
    const { name: room, role = 'member' } = typeof membership === 'string' ? { name: membership } : membership
    const spec = context.lookUp('rooms', room) as RoomSpec | undefined
    const listed = spec?.participants.find(({ identifier, kind }) => kind === 'agent' && identifier === name)
    if (!listed || listed.role === role) return []
    return oneFault(
      ['rooms', index],
      'conflicting-members',
      `agent "${name}" is ${role} of room "${room}" here, and ${listed.role} at participants[${name}] of rooms/${room}`,
      'write the same role in both, or keep one of the two',
    )
  })
}

/** Returns true if the runtime needs `command` and it is missing. */
export function needsCommand(agent: Program): boolean {
  return ['command', 'acp', 'socket'].includes(agent.runtime ?? '') && !agent.command
}

/** `blame`: manifests report the runtime, requests report the missing command. */
function commandFaults(agent: Program, blame: 'runtime' | 'command'): Fault[] {
  if (!needsCommand(agent)) return []
  const message =
    blame === 'runtime' ? `runtime ${agent.runtime} needs "command"` : `is required for runtime ${agent.runtime}`
  return [
    {
      path: [blame],
      members: ['runtime', 'command'],
      code: 'missing-member',
      message,
      hint: 'add command: [program, argument]',
    },
  ]
}

function nameFaults(name: string): Fault[] {
  if (name.trim() !== '') return []
  return oneFault(['name'], 'invalid-value', 'should not be empty', 'write a name')
}

function memberFaults(members: Checked, at: Path): Fault[] {
  return [
    ...directories(members, at).flatMap(([written, path]) => directoryFault(written, path)),
    ...(members.tool_policy ? policyFaults(members.tool_policy, [...at, 'tool_policy']) : []),
    ...sandboxInputFaults(members.sandbox, [...at, 'sandbox']),
  ]
}

function directories(members: Checked, at: Path): [string, Path][] {
  const additional = (members.additional_dirs ?? []).map(
    (written, index) => [written, 'additional_dirs', index] as const,
  )
  return [[members.working_dir, 'working_dir'] as const, ...additional].flatMap(([written, ...path]) =>
    written === undefined ? [] : [[written, [...at, ...path]]],
  )
}

/** Requests need absolute paths: the folders of daemon and caller differ. */
function directoryFault(written: string, path: Path): Fault[] {
  if (isAbsolute(written)) return []
  return oneFault(
    path,
    'invalid-value',
    `should be an absolute path, instead got "${written}"`,
    'relative paths and ~ are not resolved in requests',
  )
}
