// Where desired state comes from, and the sync rules in force.
import Type, { type Static } from 'typebox'

const MaxDelete = Type.String({
  pattern: '^[0-9]+%?$',
  description: 'Most deletions of one run: a number, or a share such as 20%; at least 1',
})

/** `svc.yaml` at the root of a source, and `sync:` of a configured source. */
export const SourceSync = Type.Object(
  {
    mode: Type.Optional(Type.Enum(['auto', 'manual'])),
    drift: Type.Optional(Type.Enum(['report', 'heal', 'block'])),
    self_heal: Type.Optional(Type.Boolean()),
    prune: Type.Optional(Type.Boolean()),
    max_delete: Type.Optional(MaxDelete),
    ignore: Type.Optional(Type.Array(Type.String())),
  },
  { $id: 'SourceSync', additionalProperties: false },
)
export type SourceSync = Static<typeof SourceSync>

/** `svc.yaml` whole. */
export const SourceFile = Type.Object(
  { apiVersion: Type.Optional(Type.Enum(['svc/v1'])), sync: Type.Optional(SourceSync) },
  { $id: 'SourceFile', additionalProperties: false, description: 'Rules of the folder of manifests it stands in' },
)

export const Source = Type.Object(
  {
    name: Type.String(),
    type: Type.Enum(['directory', 'git']),
    location: Type.String(),
    revision: Type.Union([Type.String(), Type.Null()], { description: 'Last revision that was read whole' }),
    observed_at: Type.Union([Type.String(), Type.Null()]),
    sync: Type.Object({ mode: Type.String(), drift: Type.String(), prune: Type.Boolean(), max_delete: Type.String() }),
    suspended: Type.Boolean(),
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last pass did not take the folder as it is',
    }),
  },
  { $id: 'Source', additionalProperties: false },
)
export type Source = Static<typeof Source>
