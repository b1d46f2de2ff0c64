// The Agent kind, and the agent record of the API.
import Type, { type Static, type TSchema } from 'typebox'
import { commonMembers, type Fault, type KindDefinition, type ManifestContext } from './kind.ts'
import { resolvePath } from './paths.ts'
import type { PolicySpec } from './policy.ts'
import { Secret } from './secret.ts'
import { canonicalPolicy, policyFaults, ToolPolicy } from './tool-policy.ts'

export const AGENT_STATUSES = ['pending', 'running', 'stopped', 'failed'] as const
export const RUNTIMES = ['claude-code', 'scripted', 'acp', 'command', 'socket'] as const
export const SHELLS = ['zsh', 'bash'] as const
export const RESTARTS = ['always', 'on-failure', 'never'] as const

const text = (description: string) => Type.Optional(Type.Union([Type.String(), Type.Null()], { description }))
const RoomMembership = Type.Union([
  Type.String(),
  Type.Object(
    {
      name: Type.String(),
      role: Type.Optional(Type.Enum(['member', 'admin', 'observer'])),
      respond: Type.Optional(Type.Enum(['mentioned', 'always'])),
    },
    { additionalProperties: false },
  ),
])

const EnvName = Type.String({ pattern: '^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$' })

/** What a launched agent is made of; the same members in a manifest, a create body and a stored config. */
const agentMembers = {
  working_dir: Type.String({ minLength: 1, description: 'Working directory of the process; `.` is the project' }),
  user: text('OS user to run as; default the daemon’s'),
  shell: Type.Optional(Type.Enum([...SHELLS], { description: 'Default zsh; bash where zsh is not installed' })),
  interactive: Type.Optional(
    Type.Boolean({ description: 'A plain program to attach to, without a socket; default false' }),
  ),
  prompt: text('Sent once after each start, when the agent has connected'),
  worktree: Type.Optional(Type.Boolean({ description: 'Work in an isolated git worktree; default false' })),
  system_prompt: text('System prompt of the agent'),
  tool_policy: Type.Optional(ToolPolicy),
  additional_dirs: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), { description: 'Directories the agent may use besides working_dir' }),
  ),
  model: text('Model the agent program is told to use'),
  env: Type.Optional(
    Type.Record(EnvName, Type.String(), {
      additionalProperties: false,
      description: 'Environment of the agent; values are secrets',
    }),
  ),
  rooms: Type.Optional(Type.Array(RoomMembership)),
  runtime: Type.Optional(Type.Enum([...RUNTIMES], { description: 'Which agent program; default claude-code' })),
  command: Type.Optional(
    Type.Union([Type.Array(Type.String(), { minItems: 1 }), Type.Null()], {
      description: 'Program and arguments for command, acp and socket; in place of `claude` for claude-code',
    }),
  ),
  auto_clear_threshold: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Input tokens of a session after which its context is cleared',
    }),
  ),
  max_cost_usd: Type.Optional(
    Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()], {
      description: 'Cumulative cost past which the agent takes no more prompts',
    }),
  ),
  restart: Type.Optional(
    Type.Enum([...RESTARTS], {
      description: 'Whether an agent that ended is started again; a manifest’s default is always, the API’s never',
    }),
  ),
}

export const AgentManifest = Type.Object(
  {
    ...commonMembers,
    ...agentMembers,
    policy: Type.Optional(Type.String({ description: 'Name of a Policy, in place of tool_policy' })),
  },
  {
    $id: 'AgentManifest',
    title: 'Agent',
    additionalProperties: false,
    description: 'A program in a session of its own, kept running',
  },
)
export type AgentManifest = Static<typeof AgentManifest>

/** Body of `POST /agents`. */
export const AgentInput = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 256 }), ...agentMembers },
  { $id: 'AgentInput', additionalProperties: false },
)
export type AgentInput = Static<typeof AgentInput>

/** In a merge patch, null puts the default back. */
const orDefault = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
const patchMembers = {
  ...agentMembers,
  working_dir: Type.Optional(agentMembers.working_dir),
  shell: orDefault(agentMembers.shell),
  interactive: orDefault(agentMembers.interactive),
  worktree: orDefault(agentMembers.worktree),
  tool_policy: orDefault(ToolPolicy),
  additional_dirs: orDefault(agentMembers.additional_dirs),
  env: orDefault(
    Type.Record(EnvName, Type.Union([Type.String(), Type.Null()]), {
      additionalProperties: false,
      description: 'Value by value: null removes it, *** keeps it',
    }),
  ),
  rooms: orDefault(agentMembers.rooms),
  runtime: orDefault(agentMembers.runtime),
  restart: orDefault(agentMembers.restart),
}

/** Body of `PATCH /agents/{id}`: JSON Merge Patch on the name and the config, members at top level or below `config`. */
export const AgentPatch = Type.Object(
  {
    name: Type.Optional(AgentInput.properties.name),
    ...patchMembers,
    config: Type.Optional(Type.Object(patchMembers, { additionalProperties: false })),
  },
  { $id: 'AgentPatch', additionalProperties: false },
)
export type AgentPatch = Static<typeof AgentPatch>

/**
 * Canonical form of a manifest, and exactly what the orchestrator stores of an agent: every
 * member present, lists sorted, null where unset.
 */
export interface AgentSpec {
  name: string
  working_dir: string
  user: string | null
  shell: (typeof SHELLS)[number]
  interactive: boolean
  prompt: string | null
  worktree: boolean
  system_prompt: string | null
  tool_policy: ToolPolicy
  additional_dirs: string[]
  model: string | null
  env: Record<string, Secret>
  rooms: { name: string; role: string; respond: string }[]
  runtime: (typeof RUNTIMES)[number]
  command: string[] | null
  auto_clear_threshold: number | null
  max_cost_usd: number | null
  restart: (typeof RESTARTS)[number]
}

const nullable = (type: ReturnType<typeof Type.String>) => Type.Union([type, Type.Null()])

export const AgentConfig = Type.Object(
  {
    working_dir: Type.String(),
    user: nullable(Type.String()),
    shell: Type.Enum([...SHELLS]),
    interactive: Type.Boolean(),
    prompt: nullable(Type.String()),
    worktree: Type.Boolean(),
    system_prompt: nullable(Type.String()),
    tool_policy: ToolPolicy,
    additional_dirs: Type.Array(Type.String()),
    model: nullable(Type.String()),
    env: Type.Record(Type.String(), Type.String(), { description: 'Values are shown as ***' }),
    rooms: Type.Array(Type.Object({ name: Type.String(), role: Type.String(), respond: Type.String() })),
    runtime: Type.Enum([...RUNTIMES]),
    command: Type.Union([Type.Array(Type.String()), Type.Null()]),
    auto_clear_threshold: Type.Union([Type.Integer(), Type.Null()]),
    max_cost_usd: Type.Union([Type.Number(), Type.Null()]),
    restart: Type.Enum([...RESTARTS]),
  },
  { additionalProperties: false },
)

export const AgentRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    status: Type.Enum([...AGENT_STATUSES]),
    config: AgentConfig,
    mux_session: Type.String({ description: 'svc-orch-<id>' }),
    activity: Type.Enum(['idle', 'busy']),
    connected: Type.Boolean({ description: 'A live WebSocket connection' }),
    restarts: Type.Integer(),
    last_error: nullable(Type.String()),
    warnings: Type.Array(Type.String()),
    managed_by: Type.Union(
      [Type.Object({ source: Type.String(), file: Type.String(), line: Type.Integer() }), Type.Null()],
      {
        description: 'The manifest that declares this agent, if any',
      },
    ),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Agent', additionalProperties: false },
)
export type AgentRecord = Static<typeof AgentRecord>

/** What `PATCH /agents/{id}` answers: the agent, and whether a restart is needed to take the change up. */
export const PatchedAgent = Type.Object(
  { ...AgentRecord.properties, requires_restart: Type.Boolean() },
  { $id: 'PatchedAgent', additionalProperties: false },
)

export const MessageInput = Type.Object(
  { content: Type.String({ minLength: 1 }) },
  { $id: 'MessageInput', additionalProperties: false },
)
export const MessageReply = Type.Object(
  { status: Type.Enum(['sent', 'queued']), agent_id: Type.String() },
  { $id: 'MessageReply', additionalProperties: false },
)
export type MessageReply = Static<typeof MessageReply>

export const DirectoryInput = Type.Object(
  { path: Type.String({ minLength: 1 }) },
  { $id: 'DirectoryInput', additionalProperties: false },
)
export const DirectoryReply = Type.Object(
  { agent_id: Type.String(), additional_dirs: Type.Array(Type.String()), requires_restart: Type.Boolean() },
  { $id: 'DirectoryReply', additionalProperties: false },
)
export type DirectoryReply = Static<typeof DirectoryReply>

/** Members whose change reaches the process only with its next start; a manifest change restarts it. */
const RESTART_MEMBERS = new Set([
  'working_dir',
  'user',
  'shell',
  'interactive',
  'worktree',
  'system_prompt',
  'model',
  'env',
  'runtime',
  'command',
])

/** What changing a member of an agent costs; `path` is dotted. Directories and prompt wait for the next start by themselves. */
export function agentChange(path: string): 'in-place' | 'restart' {
  return RESTART_MEMBERS.has(path.split('.')[0]!) ? 'restart' : 'in-place'
}

/** An agent as it is stored: defaults filled in, lists sorted. Paths must be absolute already. */
export function canonicalAgent(
  input: Omit<AgentInput, 'env'> & { env?: Record<string, Secret | string> },
  defaults: { restart: AgentSpec['restart'] },
): AgentSpec {
  return {
    name: input.name,
    working_dir: input.working_dir,
    user: input.user ?? null,
    shell: input.shell ?? 'zsh',
    interactive: input.interactive ?? false,
    prompt: input.prompt ?? null,
    worktree: input.worktree ?? false,
    system_prompt: input.system_prompt ?? null,
    tool_policy: canonicalPolicy(input.tool_policy, 'allow_all'),
    additional_dirs: [...new Set(input.additional_dirs ?? [])].sort(),
    model: input.model ?? null,
    env: Object.fromEntries(
      Object.entries(input.env ?? {})
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => [name, value instanceof Secret ? value : new Secret(value)]),
    ),
    rooms: (input.rooms ?? [])
      .map((room) => (typeof room === 'string' ? { name: room } : room))
      .map((room: { name: string; role?: string; respond?: string }) => ({
        name: room.name,
        role: room.role ?? 'member',
        respond: room.respond ?? 'mentioned',
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    runtime: input.runtime ?? 'claude-code',
    command: input.command ?? null,
    auto_clear_threshold: input.auto_clear_threshold ?? null,
    max_cost_usd: input.max_cost_usd ?? null,
    restart: input.restart ?? defaults.restart,
  }
}

/** `command`, `acp` and `socket` are nothing without a program. */
export function needsCommand(agent: { runtime?: string; command?: string[] | null }): boolean {
  return ['command', 'acp', 'socket'].includes(agent.runtime ?? '') && !agent.command
}

function checkAgent(manifest: AgentManifest, context: ManifestContext): Fault[] {
  const faults = manifest.tool_policy ? policyFaults(manifest.tool_policy, ['tool_policy']) : []
  if (manifest.tool_policy && manifest.policy !== undefined) {
    faults.push({
      path: ['policy'],
      code: 'conflicting-members',
      message: 'tool_policy and policy exclude each other',
      hint: 'keep one: tool_policy inline, or policy with the name of a Policy',
    })
  }
  if (needsCommand(manifest)) {
    faults.push({
      path: ['runtime'],
      code: 'missing-member',
      message: `runtime ${manifest.runtime} needs "command"`,
      hint: 'add command: [program, argument]',
    })
  }
  const directories: [string | undefined, (string | number)[]][] = [[manifest.working_dir, ['working_dir']]]
  for (const [index, directory] of (manifest.additional_dirs ?? []).entries())
    directories.push([directory, ['additional_dirs', index]])
  for (const [written, path] of directories) {
    if (written === undefined) continue // an ill-formed manifest is checked without its faulty members
    const absolute = resolvePath(written, context)
    if (!context.directoryExists(absolute)) {
      faults.push({
        path,
        code: 'directory-missing',
        message: `directory "${written}" does not exist${absolute === written ? '' : ` (looked at ${absolute})`}`,
        hint: 'create it, or name one that exists; relative paths start at the folder of this file',
      })
    }
  }
  return faults
}

export const agentKind: KindDefinition<AgentSpec> = {
  kind: 'agents',
  title: 'agent',
  manifestKind: 'Agent',
  schema: AgentManifest,
  secrets: [['env', '*']],
  check: checkAgent,
  references: (manifest: AgentManifest) => [
    ...(manifest.policy === undefined ? [] : [{ kind: 'policies', name: manifest.policy, path: ['policy'] }]),
    ...(manifest.rooms ?? []).map((room, index) => ({
      kind: 'rooms',
      name: typeof room === 'string' ? room : room.name,
      path: ['rooms', index],
    })),
  ],
  canonicalise: (manifest: AgentManifest, context) => {
    const shared =
      manifest.policy === undefined
        ? undefined
        : (context.resolve('policies', manifest.policy) as PolicySpec | undefined)
    return canonicalAgent(
      {
        ...manifest,
        working_dir: resolvePath(manifest.working_dir, context),
        additional_dirs: (manifest.additional_dirs ?? []).map((directory) => resolvePath(directory, context)),
        tool_policy: shared ?? manifest.tool_policy,
      },
      { restart: 'always' },
    )
  },
  change: agentChange,
  atoms: ['tool_policy'],
  spellings: { tool_policy: ['policy'] },
}
