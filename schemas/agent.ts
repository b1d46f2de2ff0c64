// The Agent kind; its parts are in `agent/`.
import { AgentManifest, type AgentInput } from './agent/input.ts'
import { agentMembers, type AgentSpec } from './agent/members.ts'
import { checkAgentManifest } from './agent/check.ts'
import { policyOf, resolvePath, type KindDefinition } from './kind.ts'
import { atomsIn, canonical, costIn, keyedIn, secretsIn, widensIn, writtenIn } from './members.ts'
import { firstSandbox, type Sandbox, type SandboxSpec } from './sandbox/sandbox.ts'
import { sandboxOf } from './sandbox/inheritance.ts'
import type { Secret } from './secret.ts'

export { needsCommand } from './agent/check.ts'
export { AgentInput, AgentPatch } from './agent/input.ts'
export { interactiveFaults } from './agent/interactive.ts'
export type { AgentSpec } from './agent/members.ts'
export * from './agent/record.ts'

/** Cost of changing the field at dotted `path`. */
export const agentChange = costIn(agentMembers)

/** Stored form of an agent: defaults filled in, lists sorted. Paths must be absolute. */
export function canonicalAgent(
  input: Omit<AgentInput, 'env' | 'sandbox'> & {
    env?: Record<string, Secret | string>
    sandbox?: Sandbox | SandboxSpec | undefined
  },
  { restart, sandbox = 'auto' }: { restart: AgentSpec['restart']; sandbox?: AgentSpec['sandbox'] },
): AgentSpec {
  return {
    name: input.name,
    ...canonical(agentMembers, {
      ...input,
      restart: input.restart ?? restart,
      sandbox: firstSandbox(input.sandbox, undefined, sandbox),
    }),
  }
}

/** Adds fields that are missing in agents stored by earlier versions. */
export function completeAgent(spec: AgentSpec): AgentSpec {
  const isComplete = Object.keys(agentMembers).every((member) => Object.hasOwn(spec, member))
  return isComplete ? spec : { ...canonical(agentMembers, {}), ...spec }
}

export const agentKind: KindDefinition<AgentSpec> = {
  kind: 'agents',
  title: 'agent',
  manifestKind: 'Agent',
  schema: AgentManifest,
  secrets: secretsIn(agentMembers),
  check: checkAgentManifest,
  references: (manifest: AgentManifest) => [
    ...(manifest.policy === undefined ? [] : [{ kind: 'policies', name: manifest.policy, path: ['policy'] }]),
    ...(manifest.rooms ?? []).map((room, index) => ({
      kind: 'rooms',
      name: typeof room === 'string' ? room : room.name,
      path: ['rooms', index],
    })),
  ],
  canonicalise: (manifest: AgentManifest, context) =>
    canonicalAgent(
      {
        ...manifest,
        working_dir: resolvePath(manifest.working_dir, context),
        additional_dirs: (manifest.additional_dirs ?? []).map((directory) => resolvePath(directory, context)),
        tool_policy: policyOf(manifest, context),
        sandbox: sandboxOf(manifest, context),
      },
      { restart: 'always' },
    ),
  change: agentChange,
  atoms: atomsIn(agentMembers),
  keyed: keyedIn(agentMembers),
  widens: widensIn(agentMembers),
  written: writtenIn(agentMembers),
  spellings: { tool_policy: ['policy'] },
}
