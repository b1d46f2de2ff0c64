// What every manifest kind says about itself without touching the outside world.
import { isAbsolute, resolve } from 'node:path'
import * as Type from 'typebox'
import type { KeyedLists } from './members/keyed-list.ts'
import { DriftByField, DriftMode } from './source.ts'
import { closedObject } from './shapes.ts'

/** Where in a manifest: `['tool_policy', 'mode']`. */
export type Path = (string | number)[]

/** Another resource that must exist first; a missing one is reported at `path`. */
export interface Reference {
  kind: string
  name: string
  path: Path
}

/** Something a kind finds wrong with one of its manifests beyond what its schema says. */
export interface Fault {
  path: Path
  code: string
  message: string
  /** The next step, in one sentence. */
  hint: string
  /** Names of the members it is about: where one of them is itself at fault, this fault says nothing new. */
  members?: string[]
  /** `error` keeps the manifest out of the plan; `warning` does not. Default `error`. */
  severity?: 'error' | 'warning'
}

/** What changing a field costs the live resource. */
export type Cost = 'in-place' | 'restart' | 'replace'

/**
 * The text of a file beside the manifests, or why there is none: `outside` is not looked at, and neither is what did
 * not come with manifests that were sent.
 */
export type ReadText = { text: string } | { fault: 'unreadable' | 'outside' | 'not-sent' | 'lfs-pointer' }

/** What a manifest may lean on while it is checked and canonicalised. Reads, never writes. */
export interface ManifestContext {
  /** Folder of the YAML file; relative paths resolve against it. */
  directory: string
  /** The project `.` stands for: the top of the git working tree, else the source's folder. */
  project: string
  home: string
  directoryExists(path: string): boolean
  /** Text of a file named by a manifest; only the folder of the source and what is below it is read. */
  readText(path: string): ReadText
  /** The canonical spec of another resource of the same desired state; a fault where nobody can show it. */
  resolve(kind: string, name: string): unknown
  /** The same, where nothing leans on it. */
  lookUp(kind: string, name: string): unknown
}

/** The names of a kind. */
export interface KindWords {
  /** The word on the wire, in URLs and for the manifest folder: `agents`. */
  kind: string
  /** The word in sentences: `agent`. */
  title: string
  /** The word in a manifest's `kind:`: `Agent`. */
  manifestKind: string
}

/**
 * The pure half of a kind: its shape and the rules of its shape. The controller works on these
 * and on nothing else it could call an agent or a workflow.
 */
export interface KindDefinition<Spec = unknown> extends KindWords {
  /** Manifest schema, the common members included. */
  schema: Type.TSchema
  /** Faults that a schema cannot say. All of them, not only the first. */
  check(manifest: any, context: ManifestContext): Fault[]
  references(manifest: any): Reference[]
  /** Where `${VAR}` is substituted and the value becomes a Secret: paths with `*` for any member. */
  secrets: string[][]
  /** Defaults, order, absolute paths: both sides pass through it, so equal means equal. */
  canonicalise(manifest: any, context: ManifestContext): Spec
  /** What changing the member at `path` (dotted) costs. */
  change(path: string): Cost
  /** Its name is its id in the live system: default false, and the controller chooses an id before it makes one. */
  namedById?: boolean
  /** Members that are one value however they are built: compared, shown and reported as a whole. */
  atoms?: readonly string[]
  /** Lists that are compared, merged and reported element by element. */
  keyed?: KeyedLists
  /**
   * Where a canonical member stands in a manifest that spells it otherwise: `{ trigger: ['source',
   * 'trigger_config'] }`.
   */
  spellings?: Record<string, string[]>
}

export const SyncRules = closedObject(
  {
    mode: Type.Optional(Type.Enum(['auto', 'manual'])),
    drift: Type.Optional(DriftMode),
    self_heal: Type.Optional(Type.Boolean({ description: 'true is short for drift: heal' })),
    fields: Type.Optional(DriftByField),
    prune: Type.Optional(Type.Boolean()),
    ignore: Type.Optional(
      Type.Array(Type.String(), { description: 'Paths whose drift is not reported: prompt, env.HOME, tools[Read]' }),
    ),
  },
  { description: 'Overrides the sync rules of the source for this resource' },
)

const NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$'
/** True for what a manifest may be called. */
export const isResourceName = (name: string): boolean => new RegExp(NAME).test(name)

/** A manifest's name: what files, URLs and commands call the resource. Unique per kind. */
export const ResourceName = Type.String({
  pattern: NAME,
  description: 'Unique per kind; letters, digits, dot, hyphen, underscore; at most 128 characters',
})

/** Members that every manifest may carry. */
export const commonMembers = {
  apiVersion: Type.Optional(Type.Enum(['svc/v1'])),
  kind: Type.Optional(Type.String()),
  name: ResourceName,
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
  sync: Type.Optional(SyncRules),
  depends_on: Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-zA-Z]+/.+$' }), { description: 'Resources that come first, as kind/name' }),
  ),
}

/** The schema of a kind's manifest: `members` beside those that every manifest may carry. */
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

/**
 * How a path in a manifest becomes an absolute one: `.` alone is the project, a leading `~` the home directory,
 * anything else relative resolves against the folder of the YAML file.
 */
export function resolvePath(path: string, context: Pick<ManifestContext, 'directory' | 'project' | 'home'>): string {
  if (path === '.') return context.project
  if (path === '~' || path.startsWith('~/')) return resolve(context.home, `.${path.slice(1)}`)
  return isAbsolute(path) ? resolve(path) : resolve(context.directory, path)
}

/** One fault, as a list. */
export const oneFault = (path: Path, code: string, message: string, hint: string): Fault[] => [
  { path, code, message, hint },
]

/** The tool policy of a manifest: the one that it names, or its own. */
export function policyOf<Own>(
  { policy, tool_policy: own }: { policy?: string; tool_policy?: Own },
  context: Pick<ManifestContext, 'resolve'>,
): Own | undefined {
  return policy === undefined ? own : ((context.resolve('policies', policy) as Own | undefined) ?? own)
}

/** The fault of a directory that a manifest names and that is not there. */
export function missingDirectory(written: string, path: Path, context: ManifestContext): Fault[] {
  const absolute = resolvePath(written, context)
  if (context.directoryExists(absolute)) return []
  return oneFault(
    path,
    'directory-missing',
    `directory "${written}" does not exist${absolute === written ? '' : ` (looked at ${absolute})`}`,
    'create it, or name one that exists; relative paths start at the folder of this file',
  )
}

/** A manifest says its tool policy itself, or names one: not both. */
export function eitherPolicy(manifest: { tool_policy?: unknown; policy?: unknown }): Fault[] {
  if (!manifest.tool_policy || manifest.policy === undefined) return []
  return oneFault(
    ['policy'],
    'conflicting-members',
    'tool_policy and policy exclude each other',
    'keep one: tool_policy inline, or policy with the name of a Policy',
  )
}
