import * as Type from 'typebox'
import { PlanHeld, PruneGuard } from './plan.ts'
import { PlanPolicy } from './sync/plan-policy.ts'
import { SyncWindow, WindowState } from './sync/window.ts'
import { closedObject, namedObject, nullableText, orNull, mapOf } from './shapes.ts'

const MaxDelete = Type.String({
  pattern: '^[0-9]+%?$',
  description: 'Maximum deletions per run: a number, or a share such as 20%; at least 1',
})

/** Reaction to manual changes: report them, revert them, or refuse the write. */
export const DriftMode = Type.Enum(['report', 'heal', 'block'])
export type DriftMode = Type.Static<typeof DriftMode>

/** Drift mode per field; the longest matching path wins. */
export const DriftByField = mapOf(DriftMode, {
  description: 'Drift rules per field path: prompt, env.HOME, "tools[Read]"',
})

/** `svc.yaml` at the root of a source, and `sync:` of a configured source. */
export const SourceSync = namedObject('SourceSync', {
  mode: Type.Optional(Type.Enum(['auto', 'manual'])),
  drift: Type.Optional(DriftMode),
  self_heal: Type.Optional(Type.Boolean()),
  fields: Type.Optional(DriftByField),
  prune: Type.Optional(Type.Boolean()),
  max_delete: Type.Optional(MaxDelete),
  ignore: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Paths whose drift is not reported, such as prompt, env.HOME or tools[Read]',
    }),
  ),
  windows: Type.Optional(
    Type.Array(SyncWindow, { maxItems: 50, description: 'Sync windows; those of all layers apply' }),
  ),
  policies: Type.Optional(
    Type.Array(PlanPolicy, { maxItems: 100, description: 'Plan policies; those of all layers apply' }),
  ),
})
export type SourceSync = Type.Static<typeof SourceSync>

export const SourceFile = Type.Object(
  { apiVersion: Type.Optional(Type.Enum(['svc/v1'])), sync: Type.Optional(SourceSync) },
  {
    $id: 'SourceFile',
    additionalProperties: false,
    description: 'Rules of the folder of manifests that contains this file',
  },
)

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description }))
const Variable = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', description }))

/** `git:` of a configured source. */
export const GitSource = closedObject({
  url: Type.String({ minLength: 1, maxLength: 4096, description: 'https://…, ssh://…, user@host:path or file:///…' }),
  ref: Type.Optional(
    Type.Union(
      [
        Type.String({ minLength: 1, maxLength: 256 }),
        closedObject(
          {
            branch: text('Branch; its newest commit is used'),
            tag: text('Tag; the commit it points to now is used'),
            semver: text('Range of tags such as ^1.4; the highest one is used'),
            commit: text('Full commit hash'),
          },
          { minProperties: 1, maxProperties: 1 },
        ),
      ],
      { description: 'Branch, tag or commit, or an object that says which; default: HEAD of the repository' },
    ),
  ),
  path: Type.Optional(
    Type.String({ maxLength: 4096, description: 'Folder of the manifests; default: the whole repository' }),
  ),
  poll_secs: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 86_400, description: 'Seconds between polls; default 60' }),
  ),
  verify: Type.Optional(
    closedObject(
      {
        allowed_signers: text('File of allowed ssh signers, as ssh-keygen reads it'),
        keyring: text('File of allowed GPG keys'),
      },
      { minProperties: 1, description: 'Only commits signed by one of these keys are accepted' },
    ),
  ),
  require_signed: Type.Optional(
    Type.Enum(['all', 'widening'], {
      description:
        'Commits that need a signature of `verify`: all (default), or widening: others are applied, but steps that widen rights are held',
    }),
  ),
  credentials: Type.Optional(
    closedObject({
      username: text('User name; default git'),
      password_variable: Variable('Environment variable of the daemon with the password or token'),
      ssh_key_file: text('File of a private key'),
      known_hosts_file: text('File of trusted ssh host keys; default ~/.ssh/known_hosts'),
    }),
  ),
  webhook_secret_variable: Variable('Environment variable with the webhook secret of the forge'),
})
export type GitSource = Type.Static<typeof GitSource>

/** Revision held by a rollback until a newer one than `against` arrives or the source is resumed. */
export const SourceHold = closedObject({
  revision: Type.String({ description: 'Effective revision' }),
  against: orNull(Type.String(), 'Newest revision when the hold was set; only another one lifts it'),
  run_id: Type.String({ description: 'Run whose revision was restored' }),
  actor: Type.String(),
  since: Type.String(),
})
export type SourceHold = Type.Static<typeof SourceHold>

export const SourceCondition = closedObject({
  type: Type.Enum(['Watching', 'CheckoutDirty']),
  status: Type.Enum(['True', 'False', 'Unknown']),
  reason: Type.Enum(['Starting', 'Watched', 'TooManyEvents', 'TooManyFiles', 'WatchLimit', 'LocalChanges']),
  message: Type.String(),
})
export type SourceCondition = Type.Static<typeof SourceCondition>

export const Source = namedObject('Source', {
  name: Type.String(),
  type: Type.Enum(['directory', 'git']),
  location: Type.String(),
  revision: orNull(Type.String(), 'Last revision that was read completely'),
  attempted_revision: orNull(Type.String(), 'Last attempted revision; differs from `revision` if it could not be used'),
  applied_revision: orNull(Type.String(), 'Revision that live state was last equal to'),
  observed_at: nullableText,
  sync: Type.Object({ mode: Type.String(), drift: Type.String(), prune: Type.Boolean(), max_delete: Type.String() }),
  suspended: Type.Boolean(),
  hold: orNull(SourceHold, 'Rollback that is held'),
  window: orNull(WindowState, 'State of its sync windows; null if it has none'),
  conditions: Type.Array(SourceCondition, {
    description:
      'For folders: Watching is False while changes are found by listing it every 5 s. For git sources: CheckoutDirty is True while local changes keep the checkout at an earlier commit',
  }),
  owned: Type.Integer({ description: 'Number of owned resources' }),
  orphaned: Type.Boolean({ description: 'No longer configured: adopt its resources, or release them' }),
  drift_acceptance: orNull(
    Type.Enum(['write', 'branch']),
    'How svc drift accept changes its manifests: write, in the folder; branch, in a clone of the repository; null: they were sent, and only the sender can change them',
  ),
  held_back: orNull(
    closedObject({
      since: Type.String(),
      deletions: orNull(PruneGuard, 'Deletions above the budget'),
      steps: orNull(PlanHeld, 'Steps that policies hold back'),
    }),
    'Steps and deletions that the last pass held back until a person decides',
  ),
  error: orNull(Type.String(), 'Why the last pass could not use the folder'),
})
export type Source = Type.Static<typeof Source>
