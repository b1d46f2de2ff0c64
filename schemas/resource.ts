// What the controller knows of one resource: inventory row, conditions, drift.
import * as Type from 'typebox'
import { closedObject, namedObject, nullableText, orNull } from './shapes.ts'

export const CONDITION_TYPES = ['Ready', 'Reconciling', 'Drifted', 'Contested', 'Stalled', 'Suspended'] as const
export const CONDITION_REASONS = [
  'Healthy',
  'Progressing',
  'Degraded',
  'Missing',
  'Unreachable',
  'DriftFound',
  'InSync',
  'Expired',
  'WaitingForIdle',
  'WaitingForSync',
  'RestartPending',
  'UpToDate',
  'KeepsBeingUndone',
  'Settled',
  'SetAside',
  'Resumed',
] as const

export const Condition = namedObject('Condition', {
  type: Type.Enum([...CONDITION_TYPES]),
  status: Type.Enum(['True', 'False', 'Unknown']),
  reason: Type.Enum([...CONDITION_REASONS]),
  message: Type.String(),
  revision: nullableText,
  observed_at: Type.String({ description: 'Past its deadline the status reads Unknown' }),
})
export type Condition = Type.Static<typeof Condition>

export const Waiting = namedObject('Waiting', {
  reason: Type.Enum(['WaitingForIdle', 'WaitingForSync', 'RestartPending'], {
    description: 'until it is idle; until somebody asks (mode manual); until the next pass',
  }),
  action: Type.Enum(['update', 'restart', 'delete']),
  members: Type.Array(Type.String(), { description: 'What the change is for; empty for a deletion' }),
  work: orNull(Type.String(), 'The work it would interrupt'),
  since: nullableText,
  until: orNull(Type.String(), 'The drain deadline: then it is done all the same'),
})
export type Waiting = Type.Static<typeof Waiting>

export const Resource = namedObject('Resource', {
  kind: Type.String(),
  name: Type.String(),
  id: Type.String({ description: 'kind/name' }),
  source: Type.String(),
  file: Type.String(),
  line: Type.Integer(),
  desired_hash: Type.String(),
  live_id: nullableText,
  conditions: Type.Array(Condition),
  waiting: orNull(Waiting, 'A change that waits, and for what'),
  contested: orNull(
    closedObject({
      paths: Type.Array(Type.String()),
      actors: Type.Array(Type.String(), { description: 'Whose hands were told last' }),
      since: Type.String(),
    }),
    'Two writers kept undoing each other here: nothing is written until that is settled',
  ),
  suspended: orNull(
    closedObject({ actor: Type.String(), since: Type.String() }),
    'Somebody set it aside: nothing of it is written, drift is still reported',
  ),
  observed_at: nullableText,
  revision: nullableText,
})
export type Resource = Type.Static<typeof Resource>

export const RESOLUTIONS = [
  'overwritten',
  'reverted',
  'healed',
  'resolved',
  'accepted',
  'ignored',
  'superseded',
  'pruned',
] as const

const writer = { actor: nullableText, request_id: nullableText, endpoint: nullableText }

export const DriftWriter = closedObject({ ...writer, at: Type.String() })
export type DriftWriter = Type.Static<typeof DriftWriter>

export const Drift = namedObject('Drift', {
  kind: Type.String(),
  name: Type.String(),
  path: Type.String({
    description: 'Dotted, an element of a keyed list in brackets; empty when the whole resource is gone',
  }),
  desired: Type.Unknown(),
  live: Type.Unknown(),
  last_applied: Type.Unknown(),
  ...writer,
  writers: Type.Array(DriftWriter, {
    description: 'Whose hands it was in, oldest first: the first one and the last ones; actor is the last of them',
  }),
  first_seen: Type.String(),
  last_seen: Type.String(),
  resolution: orNull(
    Type.Enum([...RESOLUTIONS]),
    'null while it is open. overwritten: the manifest moved, and its value took the place; reverted: somebody asked; ' +
      'healed: a rule; resolved: a hand put it back; accepted: the manifest says it now; ignored: a rule leaves it ' +
      'out now; superseded: it goes on as a record of its parts, or of the whole; pruned: the resource is no longer owned',
  ),
})
export type Drift = Type.Static<typeof Drift>

export const ResourceDetail = namedObject('ResourceDetail', {
  ...Resource.properties,
  desired: Type.Unknown(),
  last_applied: Type.Unknown(),
  live: Type.Unknown(),
  owners: Type.Record(Type.String(), Type.Enum(['manifest', 'live'])),
  drift: Type.Array(Drift),
  history: Type.Array(
    Type.Object({
      run_id: Type.String(),
      action: Type.String(),
      status: Type.String(),
      revision: nullableText,
      at: nullableText,
    }),
  ),
})
export type ResourceDetail = Type.Static<typeof ResourceDetail>

/**
 * How a manifest would say what is live: changes to canonical members, and the lines of the file that would be
 * others.
 */
export const Acceptance = namedObject('Acceptance', {
  kind: Type.String(),
  name: Type.String(),
  source: Type.String(),
  location: Type.String({ description: 'Folder of the source' }),
  file: Type.String({ description: 'Relative to it' }),
  changes: Type.Array(
    Type.Object({ path: Type.String(), value: Type.Unknown({ description: 'null: the member is taken out' }) }),
  ),
  diff: Type.String({ description: 'Unified; secrets are masked' }),
})
export type Acceptance = Type.Static<typeof Acceptance>
