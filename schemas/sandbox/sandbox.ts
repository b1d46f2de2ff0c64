// What the operating system lets an agent's program reach: the `sandbox` of an agent, a policy and the configuration.
import { posix } from 'node:path'
import * as Type from 'typebox'
import { closedObject } from '../shapes.ts'

const paths = (description: string) => Type.Array(Type.String({ minLength: 1 }), { description })

const Network = Type.Union(
  [
    Type.Enum(['all', 'none']),
    closedObject({
      hosts: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        description: 'Names, *.name or name:port; without a port 80 and 443',
      }),
    }),
  ],
  { description: 'Hosts that the program may reach; default all' },
)

const SandboxMembers = closedObject({
  write: Type.Optional(paths('Files and folders it may change, besides its directories; default none')),
  read: Type.Optional(
    Type.Union([Type.Literal('all'), paths('Only these, the system folders and what it may change')], {
      description: 'What it may read; default all',
    }),
  ),
  hide: Type.Optional(paths('Files and folders it cannot read, besides the closed ones; default none')),
  sockets: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      description: 'Sockets of the host it may use: ssh-agent, gpg-agent or an absolute path; default none',
    }),
  ),
  network: Type.Optional(Network),
  nested: Type.Optional(
    Type.Boolean({ description: 'Programs inside may make user namespaces of their own; default false' }),
  ),
})

export const Sandbox = Type.Union([Type.Enum(['auto', 'on', 'off']), SandboxMembers], {
  description: 'Sandbox of the program: auto (default; on where it can run), on, off, or what it may reach',
})
export type Sandbox = Type.Static<typeof Sandbox>

/** Lists are sorted. `~` stays: the OS user of the agent is known at its start. */
export interface SandboxRules {
  write: string[]
  read: 'all' | string[]
  hide: string[]
  sockets: string[]
  network: { mode: 'all' | 'none' | 'hosts'; hosts: string[] }
  nested: boolean
}

/** Canonical form: `auto`, null for off, or all rules. */
export type SandboxSpec = 'auto' | null | SandboxRules

export const SANDBOX_DEFAULTS: SandboxRules = {
  write: [],
  read: 'all',
  hide: [],
  sockets: [],
  network: { mode: 'all', hosts: [] },
  nested: false,
}

const words = Type.Array(Type.String())

const RulesRecord = closedObject({
  write: words,
  read: Type.Union([Type.Literal('all'), words]),
  hide: words,
  sockets: words,
  network: closedObject({ mode: Type.Enum(['all', 'none', 'hosts']), hosts: words }),
  nested: Type.Boolean(),
})

/** Canonical form in the record of an agent. */
export const SandboxRecord = Type.Union([Type.Enum(['auto']), Type.Null(), RulesRecord], {
  description: 'Sandbox of the program: auto, null for off, or all its rules',
})

/** Canonical form in the record of a policy, which omits it if it is not set. */
export const PolicySandboxRecord = Type.Union([Type.Enum(['auto', 'off']), RulesRecord], {
  description: 'Sandbox of its agents: auto, off, or all its rules',
})

const sortedSet = (list: readonly string[] | undefined): string[] => [...new Set(list)].sort()

/** Lists of the canonical form, all sets. */
export const SANDBOX_LISTS = { write: '.', read: '.', hide: '.', sockets: '.', 'network.hosts': '.' } as const

/** Without `..`, double and trailing slashes. */
export const plainPath = (path: string): string => posix.normalize(path).replace(/(?<=.)\/$/, '')

/**
 * Takes what a person writes and the canonical form, in which null is off. `path`: makes a path of the rules absolute;
 * default as written. Undefined is `auto`.
 */
export function canonicalSandbox(
  written: Sandbox | SandboxSpec | undefined,
  path: (written: string) => string = plainPath,
): SandboxSpec {
  if (written === undefined || written === 'auto') return 'auto'
  if (written === 'off' || written === null) return null
  if (written === 'on') return SANDBOX_DEFAULTS
  const { write, read = 'all', hide, sockets, network = 'all', nested = false } = written
  const places = (list: readonly string[] | undefined) => sortedSet(list?.map(path))
  return {
    write: places(write),
    read: read === 'all' ? 'all' : places(read),
    hide: places(hide),
    sockets: sortedSet(sockets),
    network: canonicalNetwork(network),
    nested,
  }
}

function canonicalNetwork(
  written: NonNullable<Exclude<Sandbox, string>['network']> | SandboxRules['network'],
): SandboxRules['network'] {
  if (typeof written === 'string') return { mode: written, hosts: [] }
  const { mode = 'hosts', hosts } = written as Partial<SandboxRules['network']> & { hosts: string[] }
  return { mode, hosts: sortedSet(hosts.map((host) => host.toLowerCase())) }
}

/** The shortest form that a person writes. */
export function writtenSandbox(spec: SandboxSpec): Sandbox {
  if (spec === null) return 'off'
  if (spec === 'auto') return 'auto'
  const { write, read, hide, sockets, network, nested } = spec
  const some = (name: string, list: string[]) => (list.length === 0 ? {} : { [name]: list })
  const rules = {
    ...some('write', write),
    ...(read === 'all' ? {} : { read }),
    ...some('hide', hide),
    ...some('sockets', sockets),
    ...(network.mode === 'all' ? {} : { network: network.mode === 'none' ? network.mode : { hosts: network.hosts } }),
    ...(nested ? { nested } : {}),
  }
  return Object.keys(rules).length === 0 ? 'on' : rules
}

/** Canonical form in a policy: null if it does not set one, so that off is written out. */
export type PolicySandbox = 'auto' | 'off' | SandboxRules | null

export function policySandbox(written: Sandbox | PolicySandbox | undefined): PolicySandbox {
  return written === undefined || written === null ? null : (canonicalSandbox(written) ?? 'off')
}

export const writtenPolicySandbox = (spec: PolicySandbox): Sandbox | null =>
  spec === null ? null : writtenSandbox(canonicalSandbox(spec))

/** The first that is set, as a whole. Specs stored by versions without sandboxes lack the member. */
export function firstSandbox(
  own: Sandbox | SandboxSpec | undefined,
  policy: PolicySandbox | undefined,
  usual: SandboxSpec,
): SandboxSpec {
  if (own !== undefined) return canonicalSandbox(own)
  return policy === undefined || policy === null ? usual : canonicalSandbox(policy)
}

const NETWORK_WIDTH = ['none', 'hosts', 'all']

/** True unless `after` is known to let the program reach no more than `before`. */
export function widensSandbox(before: SandboxSpec | undefined, after: SandboxSpec): boolean {
  if (after === null) return before !== null
  if (before === undefined || before === null) return false
  if (before === 'auto') before = SANDBOX_DEFAULTS
  if (after === 'auto') return true
  const adds = (then: readonly string[], now: readonly string[]) => now.some((each) => !then.includes(each))
  const [thenRead, nowRead] = [before.read, after.read]
  return (
    adds(before.write, after.write) ||
    adds(after.hide, before.hide) ||
    adds(before.sockets, after.sockets) ||
    (thenRead !== 'all' && (nowRead === 'all' || adds(thenRead, nowRead))) ||
    NETWORK_WIDTH.indexOf(after.network.mode) > NETWORK_WIDTH.indexOf(before.network.mode) ||
    (before.network.mode === 'hosts' && adds(before.network.hosts, after.network.hosts)) ||
    (after.nested && !before.nested)
  )
}

/**
 * The sandbox of one start, in the launch file. Paths are absolute and as written; the bridge resolves links, so that
 * the mounts are as new as the start.
 */
export const LaunchSandbox = closedObject({
  /** Its directories and `write`. */
  write: Type.Array(Type.String()),
  read: Type.Union([Type.Literal('all'), Type.Array(Type.String())]),
  hide: Type.Array(Type.String()),
  /** Read-only also inside `write`: manifests, configuration, git settings, the installation of svc. */
  readonly: Type.Array(Type.String()),
  /** Host sockets that may be used. */
  sockets: Type.Array(Type.String()),
  network: closedObject({ mode: Type.Enum(['all', 'none', 'hosts']), hosts: Type.Array(Type.String()) }),
  nested: Type.Boolean(),
  /** Folder on disk that is /tmp and /var/tmp inside; emptied at each start. */
  tmp: Type.String(),
  /** The closed set: hidden, but for what `write` opens again inside it. */
  closed: Type.Array(Type.String()),
})
export type LaunchSandbox = Type.Static<typeof LaunchSandbox>
