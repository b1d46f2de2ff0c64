// Where desired state comes from, and the sync rules in force.
import * as Type from 'typebox'
import { PlanPolicy } from './sync/plan-policy.ts'
import { SyncWindow, WindowState } from './sync/window.ts'
import { closedObject, namedObject, nullableText, orNull } from './shapes.ts'

const MaxDelete = Type.String({
  pattern: '^[0-9]+%?$',
  description: 'Most deletions of one run: a number, or a share such as 20%; at least 1',
})

/** What happens to a change by hand: reported, put back, or refused before it is made. */
export const DriftMode = Type.Enum(['report', 'heal', 'block'])
export type DriftMode = Type.Static<typeof DriftMode>

/** `drift` of single members: the longest path that holds one decides. */
export const DriftByField = Type.Record(Type.String(), DriftMode, {
  description: 'Another drift rule for members, by path: prompt, env.HOME, "tools[Read]"',
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
    Type.Array(Type.String(), { description: 'Paths whose drift is not reported: prompt, env.HOME, tools[Read]' }),
  ),
  windows: Type.Optional(
    Type.Array(SyncWindow, { maxItems: 50, description: 'When it may write; those of every layer hold' }),
  ),
  policies: Type.Optional(
    Type.Array(PlanPolicy, { maxItems: 100, description: 'Rules over the plan; those of every layer hold' }),
  ),
})
export type SourceSync = Type.Static<typeof SourceSync>

/** `svc.yaml` whole. */
export const SourceFile = Type.Object(
  { apiVersion: Type.Optional(Type.Enum(['svc/v1'])), sync: Type.Optional(SourceSync) },
  { $id: 'SourceFile', additionalProperties: false, description: 'Rules of the folder of manifests it stands in' },
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
            branch: text('Its newest commit'),
            tag: text('The commit it names now'),
            semver: text('The highest tag in a range, such as ^1.4'),
            commit: text('All of its digits'),
          },
          { minProperties: 1, maxProperties: 1 },
        ),
      ],
      { description: 'A branch, a tag or a commit, or one of them by its sort; default HEAD of the repository' },
    ),
  ),
  path: Type.Optional(Type.String({ maxLength: 4096, description: 'Folder of the manifests; default the whole' })),
  poll_secs: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 86_400, description: 'Seconds between two looks; default 60' }),
  ),
  verify: Type.Optional(
    closedObject(
      {
        allowed_signers: text('File of ssh keys that may sign, as ssh-keygen reads it'),
        keyring: text('File of GPG keys that may sign'),
      },
      { minProperties: 1, description: 'Commits that nobody of these signed are refused' },
    ),
  ),
  credentials: Type.Optional(
    closedObject({
      username: text('Default git'),
      password_variable: Variable('Name of the variable of the daemon that holds the password or token'),
      ssh_key_file: text('File of a private key'),
      known_hosts_file: text('File of the keys of ssh hosts that are trusted; default ~/.ssh/known_hosts'),
    }),
  ),
  webhook_secret_variable: Variable('Name of the variable that holds the secret of the forge’s webhook'),
})
export type GitSource = Type.Static<typeof GitSource>

/** An earlier revision that is in force by a rollback, until a newer one than `against` comes or somebody resumes it. */
export const SourceHold = closedObject({
  revision: Type.String({ description: 'Is in force' }),
  against: orNull(Type.String(), 'The newest when the hold was set: only another one lifts it'),
  run_id: Type.String({ description: 'The run whose revision was gone back to' }),
  actor: Type.String(),
  since: Type.String(),
})
export type SourceHold = Type.Static<typeof SourceHold>

/** Whether a folder is watched; only folders have conditions. */
export const SourceCondition = closedObject({
  type: Type.Enum(['Watching']),
  status: Type.Enum(['True', 'False', 'Unknown']),
  reason: Type.Enum(['Starting', 'Watched', 'TooManyFiles', 'WatchLimit']),
  message: Type.String(),
})
export type SourceCondition = Type.Static<typeof SourceCondition>

export const Source = namedObject('Source', {
  name: Type.String(),
  type: Type.Enum(['directory', 'git']),
  location: Type.String(),
  revision: orNull(Type.String(), 'Last revision that was read whole'),
  attempted_revision: orNull(
    Type.String(),
    'Revision that was tried last: another than `revision` where it could not be taken',
  ),
  applied_revision: orNull(Type.String(), 'Revision that the live system was last found or made equal to'),
  observed_at: nullableText,
  sync: Type.Object({ mode: Type.String(), drift: Type.String(), prune: Type.Boolean(), max_delete: Type.String() }),
  suspended: Type.Boolean(),
  hold: orNull(SourceHold, 'A rollback that is in force'),
  window: orNull(WindowState, 'By its sync windows; null: it has none'),
  conditions: Type.Array(SourceCondition, {
    description: 'Of a folder: Watching is False while changes are found by listing it every 5 s',
  }),
  owned: Type.Integer({ description: 'How many resources it owns' }),
  orphaned: Type.Boolean({ description: 'It is configured no more: adopt what it owns, or release it' }),
  error: orNull(Type.String(), 'Why the last pass did not take the folder as it is'),
})
export type Source = Type.Static<typeof Source>
