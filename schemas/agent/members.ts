// What an agent is made of: the one table of its members.
import * as Type from 'typebox'
import { GUARDS, type Guard } from './guards.ts'
import { nullable, required, shaped, sortedSet, withDefault, type SpecOf } from '../members.ts'
import { Secret } from '../secret.ts'
import { canonicalPolicy, ToolPolicy } from '../tools/policy.ts'
import { closedObject, nullableText } from '../shapes.ts'

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

const EnvName = Type.String({ pattern: '^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$' })
const closed = { additionalProperties: false }

/**
 * The same members in a manifest, a create body, a patch, a stored config and a record. Of those that say `in-place`,
 * additional_dirs and prompt wait for the next start by themselves.
 */
export const agentMembers = {
  working_dir: required(
    Type.String({
      minLength: 1,
      examples: ['/tmp'],
      description: 'Working directory of the process; `.` is the project',
    }),
    { cost: 'restart' },
  ),
  user: nullable(Type.String(), 'OS user to run as; default the daemon’s', { cost: 'restart' }),
  shell: withDefault(Type.Enum([...SHELLS], { description: 'Default zsh; bash where zsh is not installed' }), 'zsh', {
    cost: 'restart',
  }),
  interactive: withDefault(
    Type.Boolean({ description: 'A plain program to attach to, without a socket; default false' }),
    false,
    { cost: 'restart' },
  ),
  prompt: nullable(Type.String(), 'Sent once after each start, when the agent has connected'),
  worktree: withDefault(Type.Boolean({ description: 'Work in an isolated git worktree; default false' }), false, {
    cost: 'restart',
  }),
  system_prompt: nullable(Type.String(), 'System prompt of the agent', { cost: 'restart' }),
  tool_policy: shaped(ToolPolicy, (policy) => canonicalPolicy(policy, 'allow_all'), {
    atom: true,
    keyed: { tools: '.' },
  }),
  additional_dirs: shaped(
    Type.Array(Type.String({ minLength: 1 }), { description: 'Directories the agent may use besides working_dir' }),
    sortedSet,
    { keyed: '.' },
  ),
  model: nullable(Type.String(), 'Model the agent program is told to use', { cost: 'restart' }),
  env: shaped(
    Type.Record(EnvName, Type.String(), {
      ...closed,
      description: 'Environment of the agent; values are secrets',
    }),
    secretsByName,
    {
      cost: 'restart',
      secrets: [['*']],
      record: Type.Record(Type.String(), Type.String(), { description: 'Values are shown as ***' }),
      patch: Type.Record(EnvName, nullableText, {
        ...closed,
        description: 'Value by value: null removes it, *** keeps it',
      }),
    },
  ),
  rooms: shaped(Type.Array(RoomMembership), roomsByName, { record: Type.Array(Room), keyed: 'name' }),
  runtime: withDefault(
    Type.Enum([...RUNTIMES], { description: 'Which agent program; default claude-code' }),
    'claude-code',
    { cost: 'restart' },
  ),
  command: nullable(
    Type.Array(Type.String(), { minItems: 1 }),
    'Program and arguments for command, acp and socket; in place of `claude` for claude-code',
    { cost: 'restart' },
  ),
  auto_clear_threshold: nullable(
    Type.Integer({ minimum: 1 }),
    'Input tokens of a session after which its context is cleared',
  ),
  max_cost_usd: nullable(
    Type.Number({ exclusiveMinimum: 0 }),
    'Cumulative cost past which the agent takes no more prompts',
  ),
  may: shaped(
    Type.Array(Type.Enum([...GUARDS]), {
      description:
        'What its own programs may ask of the daemon, of what is refused to agents otherwise; default nothing',
    }),
    (words): Guard[] => GUARDS.filter((word) => words?.includes(word)),
    { keyed: '.' },
  ),
  restart: withDefault(
    Type.Enum([...RESTARTS], {
      description: 'Whether an agent that ended is started again; a manifest’s default is always, the API’s never',
    }),
    'always',
  ),
}

/**
 * Canonical form of a manifest, and exactly what the orchestrator stores of an agent: every
 * member present, lists sorted, null where unset.
 */
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
