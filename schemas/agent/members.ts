// The fields of an agent.
import * as Type from 'typebox'
import { GUARDS, type Guard } from './guards.ts'
import { nullable, required, shaped, sortedSet, withDefault, type SpecOf } from '../members.ts'
import { adds, always, never, raises, raisesRole } from '../members/widening.ts'
import {
  canonicalSandbox,
  Sandbox,
  SANDBOX_LISTS,
  SandboxRecord,
  widensSandbox,
  writtenSandbox,
  type SandboxSpec,
} from '../sandbox/sandbox.ts'
import { Secret } from '../secret.ts'
import { canonicalPolicy, ToolPolicy } from '../tools/policy.ts'
import { widensPolicy } from '../tools/policy-width.ts'
import { closedObject, nullableText, mapOf } from '../shapes.ts'

export const RUNTIMES = ['claude-code', 'scripted', 'acp', 'command', 'socket'] as const
export const SHELLS = ['zsh', 'bash'] as const
export const RESTARTS = ['always', 'on-failure', 'never'] as const

const RoomMembership = Type.Union([
  Type.String(),
  closedObject({
    name: Type.String(),
    role: Type.Optional(Type.Enum(['member', 'admin', 'observer'])),
    respond: Type.Optional(Type.Enum(['mentioned', 'always'])),
  }),
])
const Room = Type.Object({ name: Type.String(), role: Type.String(), respond: Type.String() })

const envNames = { keys: '^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$', additionalProperties: false }

/**
 * Used for manifests, create bodies, patches, stored config and records. Changes of `additional_dirs` and `prompt` are
 * in-place but take effect at the next start.
 */
export const agentMembers = {
  working_dir: required(
    Type.String({
      minLength: 1,
      examples: ['/tmp'],
      description: 'Working directory of the process; `.` is the project',
    }),
    { cost: 'restart', widens: always },
  ),
  user: nullable(Type.String(), 'OS user to run as; default: the user of the daemon', {
    cost: 'restart',
    widens: always,
  }),
  shell: withDefault(
    Type.Enum([...SHELLS], { description: 'Shell of the session; default zsh, or bash if zsh is not installed' }),
    'zsh',
    { cost: 'restart', widens: never },
  ),
  interactive: withDefault(
    Type.Boolean({ description: 'Plain program to attach to, without a socket; default false' }),
    false,
    // No tool is checked in a plain program.
    { cost: 'restart', widens: (_, isPlain: boolean) => isPlain },
  ),
  prompt: nullable(Type.String(), 'Prompt that is sent once after each start, when the agent has connected', {
    widens: never,
  }),
  worktree: withDefault(Type.Boolean({ description: 'Work in an isolated git worktree; default false' }), false, {
    cost: 'restart',
    widens: never,
  }),
  system_prompt: nullable(Type.String(), 'System prompt of the agent', { cost: 'restart', widens: never }),
  tool_policy: shaped(ToolPolicy, (policy) => canonicalPolicy(policy, 'allow_all'), {
    atom: true,
    keyed: { tools: '.', ask: '.', deny: '.' },
    widens: widensPolicy,
  }),
  additional_dirs: shaped(
    Type.Array(Type.String({ minLength: 1 }), { description: 'Additional directories that the agent may use' }),
    sortedSet,
    { keyed: '.', widens: adds },
  ),
  sandbox: shaped(Sandbox, (written: Sandbox | SandboxSpec | undefined) => canonicalSandbox(written), {
    cost: 'restart',
    widens: widensSandbox,
    keyed: SANDBOX_LISTS,
    written: writtenSandbox,
    record: SandboxRecord,
  }),
  model: nullable(Type.String(), 'Model to use', { cost: 'restart', widens: never }),
  env: shaped(
    mapOf(Type.String(), {
      ...envNames,
      description: 'Environment variables; values are secrets',
    }),
    secretsByName,
    {
      cost: 'restart',
      widens: always,
      secrets: [['*']],
      record: mapOf(Type.String(), { description: 'Values are shown as ***' }),
      patch: mapOf(nullableText, {
        ...envNames,
        description: 'Merged per variable; null removes it, *** keeps it',
      }),
    },
  ),
  rooms: shaped(Type.Array(RoomMembership), roomsByName, {
    record: Type.Array(Room),
    keyed: 'name',
    widens: raisesRole('name'),
  }),
  runtime: withDefault(Type.Enum([...RUNTIMES], { description: 'Agent program; default claude-code' }), 'claude-code', {
    cost: 'restart',
    widens: always,
  }),
  command: nullable(
    Type.Array(Type.String(), { minItems: 1 }),
    'Program and arguments for command, acp and socket; replaces `claude` for claude-code',
    { cost: 'restart', widens: always },
  ),
  auto_clear_threshold: nullable(
    Type.Integer({ minimum: 1 }),
    'Input tokens of a session after which its context is cleared',
    { widens: never },
  ),
  max_cost_usd: nullable(
    Type.Number({ exclusiveMinimum: 0 }),
    'Cumulative cost above which the agent stops accepting prompts',
    { widens: raises },
  ),
  may: shaped(
    Type.Array(Type.Enum([...GUARDS]), {
      description: 'Daemon operations that its programs may call although agents are denied them; default none',
    }),
    (words): Guard[] => GUARDS.filter((word) => words?.includes(word)),
    { keyed: '.', widens: adds },
  ),
  restart: withDefault(
    Type.Enum([...RESTARTS], {
      description: 'Restart policy; default always in manifests, never in the API',
    }),
    'always',
    { widens: never },
  ),
}

/** Canonical form, also stored by the orchestrator: every field present, lists sorted, null if unset. */
export interface AgentSpec extends SpecOf<typeof agentMembers> {
  name: string
}

function secretsByName(env: Record<string, string | Secret> | null | undefined): Record<string, Secret> {
  return Object.fromEntries(
    Object.entries(env ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, value instanceof Secret ? value : new Secret(value)]),
  )
}

function roomsByName(rooms: Type.Static<typeof RoomMembership>[] | null | undefined): Type.Static<typeof Room>[] {
  return (rooms ?? [])
    .map((room) => (typeof room === 'string' ? { name: room } : room))
    .map((room: Partial<Type.Static<typeof Room>> & { name: string }) => ({
      name: room.name,
      role: room.role ?? 'member',
      respond: room.respond ?? 'mentioned',
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
