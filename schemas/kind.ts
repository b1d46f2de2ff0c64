// Definition of a manifest kind.
import { isAbsolute, resolve } from 'node:path'
import * as Type from 'typebox'
import type { KeyedLists } from './members/keyed-list.ts'
import type { Widening } from './members/widening.ts'
import type { Written } from './members/written.ts'
import type { SandboxSpec } from './sandbox/sandbox.ts'
import { DriftByField, DriftMode } from './source.ts'
import { closedObject, mapOf } from './shapes.ts'
import { closedFault } from './validation/closed-file.ts'

/** Path in a manifest: `['tool_policy', 'mode']`. */
export type Path = (string | number)[]

/** A resource that must exist first; reported at `path` if missing. */
export interface Reference {
  kind: string
  name: string
  path: Path
}

/** An error beyond the schema. */
export interface Fault {
  path: Path
  code: string
  message: string
  /** Next step, in one sentence. */
  hint: string
  /** Fields concerned; the error is dropped if one of them is invalid. */
  members?: string[]
  /** `error` (default) keeps the manifest out of the plan. */
  severity?: 'error' | 'warning'
}

/** Effect of changing a field on the live resource. */
export type Cost = 'in-place' | 'restart' | 'replace'

/** Text of a file, or why it is unavailable; `outside`, `not-sent` and `closed` files are never opened. */
export type ReadText = { text: string } | { fault: 'unreadable' | 'outside' | 'not-sent' | 'closed' | 'lfs-pointer' }

/** `closed`: the closed path that is it, or contains it. */
export type PathFault = 'missing' | { closed: string } | null

/** Read-only context for checking and canonicalising a manifest. */
export interface ManifestContext {
  /** Folder of the YAML file; relative paths resolve against it. */
  directory: string
  /** Meaning of `.`: the top of the git working tree, else the folder of the source. */
  project: string
  home: string
  /** Of an agent whose manifest and policy set none. */
  defaultSandbox: SandboxSpec
  /** Why an absolute path is no usable directory, or null. */
  directoryFault(path: string): 'missing' | 'closed' | null
  /** Why a sandbox cannot open an absolute path of a file or folder, or null. */
  pathFault(path: string): PathFault
  /**
   * What a worktree of an absolute path would be made from: a working tree of git, or the checkout of this source, which
   * only the daemon's user can enter. Null if it is in neither.
   */
  worktreeBase(path: string): 'working-tree' | 'checkout' | null
  /** Reads only files in or below the folder of the source. */
  readText(path: string): ReadText
  /** Canonical spec of another resource; an error if it is unknown. */
  resolve(kind: string, name: string): unknown
  /** Like resolve(), but undefined if unknown. */
  lookUp(kind: string, name: string): unknown
  /** Place of a canonical field of another resource, as `file:line`; null if no manifest of this source declares it. */
  placeOf(kind: string, name: string, path: string): string | null
}

export interface KindWords {
  /** Plural, in URLs and folders: `agents`. */
  kind: string
  /** In sentences: `agent`. */
  title: string
  /** In a manifest's `kind:`: `Agent`. */
  manifestKind: string
}

/** The pure half of a kind. The controller knows kinds only through this interface. */
export interface KindDefinition<Spec = unknown> extends KindWords {
  /** Manifest schema, common fields included. */
  schema: Type.TSchema
  /** All errors beyond the schema. */
  check(manifest: any, context: ManifestContext): Fault[]
  references(manifest: any): Reference[]
  /** Paths where `${VAR}` is substituted and the value becomes a Secret; `*` matches any field. */
  secrets: string[][]
  /** Applies defaults, order and absolute paths to both sides, so that they compare by value. */
  canonicalise(manifest: any, context: ManifestContext): Spec
  /** Cost of changing the field at dotted `path`. */
  change(path: string): Cost
  /** Which changes grant more than before. */
  widens: Widening
  /** The name is the live id. Default false: the controller chooses an id before creating. */
  namedById?: boolean
  /** Fields compared, shown and reported as a whole. */
  atoms?: readonly string[]
  /** Lists compared, merged and reported by element. */
  keyed?: KeyedLists
  /** Resources that exist without a manifest; a manifest of the same name replaces them. */
  builtIn?: readonly (Spec & { name: string })[]
  /** Members whose form in a manifest differs from the canonical one; such a member is whole in a manifest. */
  written?: Written
  /** Manifest spellings of canonical fields: `{ trigger: ['source', 'trigger_config'] }`. */
  spellings?: Record<string, string[]>
}

/** Canonical spec of a built-in resource, or undefined. */
export function builtInSpec(kinds: readonly KindDefinition<any>[], kind: string, name: string): unknown {
  return kinds.find((known) => known.kind === kind)?.builtIn?.find((spec) => spec.name === name)
}

export const SyncRules = closedObject(
  {
    mode: Type.Optional(Type.Enum(['auto', 'manual'])),
    drift: Type.Optional(DriftMode),
    self_heal: Type.Optional(Type.Boolean({ description: 'true is the same as drift: heal' })),
    fields: Type.Optional(DriftByField),
    prune: Type.Optional(Type.Boolean()),
    ignore: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Paths whose drift is not reported, such as prompt, env.HOME or tools[Read]',
      }),
    ),
  },
  { description: 'Sync rules that override those of the source for this resource' },
)

const NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$'
export const isResourceName = (name: string): boolean => new RegExp(NAME).test(name)

/** Name in files, URLs and commands. Unique per kind. */
export const ResourceName = Type.String({
  pattern: NAME,
  description: 'Unique per kind; letters, digits, dot, hyphen, underscore; at most 128 characters',
})

/** Fields of every manifest. */
export const commonMembers = {
  apiVersion: Type.Optional(Type.Enum(['svc/v1'])),
  kind: Type.Optional(Type.String()),
  name: ResourceName,
  labels: Type.Optional(mapOf(Type.String())),
  annotations: Type.Optional(mapOf(Type.String())),
  sync: Type.Optional(SyncRules),
  depends_on: Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-zA-Z]+/.+$' }), { description: 'Resources to apply first, as kind/name' }),
  ),
}

/** Manifest schema of a kind: `members` and the common fields. */
export const manifestObject = <Members extends Type.TProperties>(
  title: string,
  description: string,
  members: Members,
) =>
  Type.Object(
    { ...commonMembers, ...members },
    { $id: `${title}Manifest`, title, additionalProperties: false, description },
  )

export interface CommonManifest {
  name: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  sync?: Type.Static<typeof SyncRules>
  depends_on?: string[]
}

/** Resolves a path: `.` is the project, a leading `~` the home folder, other relative paths start at the YAML file. */
export function resolvePath(path: string, context: Pick<ManifestContext, 'directory' | 'project' | 'home'>): string {
  if (path === '.') return context.project
  if (path === '~' || path.startsWith('~/')) return resolve(context.home, `.${path.slice(1)}`)
  return isAbsolute(path) ? resolve(path) : resolve(context.directory, path)
}

export const oneFault = (path: Path, code: string, message: string, hint: string): Fault[] => [
  { path, code, message, hint },
]

/** Returns the named tool policy, or the inline one. */
export function policyOf<Own>(
  { policy, tool_policy: own }: { policy?: string; tool_policy?: Own },
  context: Pick<ManifestContext, 'resolve'>,
): Own | undefined {
  return policy === undefined ? own : ((context.resolve('policies', policy) as Own | undefined) ?? own)
}

/** Error for a missing or closed directory. */
export function directoryFaults(written: string, path: Path, context: ManifestContext): Fault[] {
  const absolute = resolvePath(written, context)
  const fault = context.directoryFault(absolute)
  if (fault === null) return []
  if (fault === 'closed') return [{ path, ...closedFault(`directory "${written}"`) }]
  return oneFault(
    path,
    'directory-missing',
    `directory "${written}" does not exist${absolute === written ? '' : ` (resolved to ${absolute})`}`,
    'create it, or use an existing one; relative paths start at the folder of this file',
  )
}

/** Error if both an inline and a named policy are given. */
export function eitherPolicy(manifest: { tool_policy?: unknown; policy?: unknown }): Fault[] {
  if (!manifest.tool_policy || manifest.policy === undefined) return []
  return oneFault(
    ['policy'],
    'conflicting-members',
    'tool_policy and policy are mutually exclusive',
    'keep one: an inline tool_policy, or policy with the name of a Policy',
  )
}
