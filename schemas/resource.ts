import * as Type from 'typebox'
import { closedObject, namedObject, nullableText, orNull, mapOf } from './shapes.ts'

export const CONDITION_TYPES = [
  'Ready',
  'Reconciling',
  'Drifted',
  'Contested',
  'Stalled',
  'Suspended',
  'Sandboxed',
] as const
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
  'SandboxRuns',
  'NoSandbox',
] as const

export const Condition = namedObject('Condition', {
  type: Type.Enum([...CONDITION_TYPES]),
  status: Type.Enum(['True', 'False', 'Unknown']),
  reason: Type.Enum([...CONDITION_REASONS]),
  message: Type.String(),
  revision: nullableText,
  observed_at: Type.String({ description: 'Time of the verdict; the status is Unknown after its deadline' }),
})
export type Condition = Type.Static<typeof Condition>

export const Waiting = namedObject('Waiting', {
  reason: Type.Enum(['WaitingForIdle', 'WaitingForSync', 'RestartPending'], {
    description:
      'WaitingForIdle: until the agent is idle; WaitingForSync: until a person applies it (mode manual); RestartPending: until the next pass',
  }),
  action: Type.Enum(['update', 'restart', 'delete']),
  members: Type.Array(Type.String(), { description: 'Fields that the change is about; empty for a deletion' }),
  work: orNull(Type.String(), 'Work that it would interrupt'),
  since: nullableText,
  until: orNull(Type.String(), 'Drain deadline, after which the change is made anyway'),
})
export type Waiting = Type.Static<typeof Waiting>

/** Terms of `is:` in a search. */
export const RESOURCE_STATES = [
  'synced',
  'changed',
  'drifted',
  'unknown',
  'waiting',
  'contested',
  'suspended',
  'failing',
  'odd',
] as const
export type ResourceState = (typeof RESOURCE_STATES)[number]

/** Meanings, for help and documents. */
export const STATE_MEANINGS =
  'synced: desired, last applied and live state are equal; changed: the manifest is not applied yet, gone or invalid; drifted: live ' +
  'state differs from the last applied state; unknown: live state is unknown; waiting: a change is pending; contested; ' +
  'suspended; failing: Ready is False; odd: any of them except synced'

/** Numbers of resources by state, and of all of them. */
export const StateCounts = closedObject({
  total: Type.Integer(),
  ...(Object.fromEntries(RESOURCE_STATES.map((state) => [state, Type.Integer()])) as Record<
    ResourceState,
    Type.TInteger
  >),
})
export type StateCounts = Type.Static<typeof StateCounts>

/** The three sides of a resource, compared. */
export const Sides = closedObject({
  desired: Type.Boolean({ description: 'True if the manifest is valid and equals the last applied state' }),
  live: orNull(
    Type.Boolean(),
    'True if live state equals the last applied state; null if it is unknown, or nothing was applied yet',
  ),
})
export type Sides = Type.Static<typeof Sides>

/** When each side of a resource was read, and its revision. */
export const Times = closedObject({
  desired: closedObject(
    { at: nullableText, revision: nullableText },
    { description: 'Last read of the source, and its last complete revision' },
  ),
  last_applied: closedObject(
    { at: nullableText, revision: nullableText },
    { description: 'When the last applied state became what it is, and the revision that it is of; null if unknown' },
  ),
  live: closedObject({ at: nullableText }, { description: 'Last observation; null before the first' }),
})
export type Times = Type.Static<typeof Times>

/** Limit on the references that a list shows per resource and direction. */
export const LISTED_REFERENCES = 10

const References = closedObject({
  total: Type.Integer(),
  ids: Type.Array(Type.String(), { description: `As kind/name, sorted; in a list at most ${LISTED_REFERENCES}` }),
})

export const Labels = mapOf(Type.String())
export type Labels = Type.Static<typeof Labels>

export const Resource = namedObject('Resource', {
  kind: Type.String(),
  name: Type.String(),
  id: Type.String({ description: 'kind/name' }),
  source: Type.String(),
  file: Type.String(),
  line: Type.Integer(),
  labels: Labels,
  references: closedObject(
    { to: References, from: References },
    { description: 'Resources that it depends on (to), and that depend on it (from)' },
  ),
  desired_hash: Type.String(),
  live_id: nullableText,
  conditions: Type.Array(Condition),
  sides: Sides,
  times: Times,
  states: Type.Array(Type.Enum([...RESOURCE_STATES]), { description: STATE_MEANINGS }),
  waiting: orNull(Waiting, 'Pending change and what it waits for'),
  contested: orNull(
    closedObject({
      paths: Type.Array(Type.String()),
      actors: Type.Array(Type.String(), { description: 'Last known writers' }),
      since: Type.String(),
    }),
    'Two writers keep reverting each other: nothing is written until this is resolved',
  ),
  suspended: orNull(
    closedObject({ actor: Type.String(), since: Type.String() }),
    'Suspended: nothing is written, drift is still reported',
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

/** Numbers of drift records by how they ended, and of all of them. */
export const DriftCounts = closedObject({
  total: Type.Integer(),
  open: Type.Integer(),
  ...(Object.fromEntries(RESOLUTIONS.map((resolution) => [resolution, Type.Integer()])) as Record<
    (typeof RESOLUTIONS)[number],
    Type.TInteger
  >),
})
export type DriftCounts = Type.Static<typeof DriftCounts>

const writer = { actor: nullableText, request_id: nullableText, endpoint: nullableText }

export const DriftWriter = closedObject({ ...writer, at: Type.String() })
export type DriftWriter = Type.Static<typeof DriftWriter>

export const Drift = namedObject('Drift', {
  id: Type.String({ format: 'uuid' }),
  kind: Type.String(),
  name: Type.String(),
  path: Type.String({
    description: 'Dotted path; elements of a keyed list in brackets; empty if the whole resource is missing',
  }),
  desired: Type.Unknown(),
  live: Type.Unknown(),
  last_applied: Type.Unknown(),
  ...writer,
  writers: Type.Array(DriftWriter, {
    description: 'Writers, oldest first: the first one and the most recent ones; actor is the last of them',
  }),
  first_seen: Type.String(),
  last_seen: Type.String(),
  resolution: orNull(
    Type.Enum([...RESOLUTIONS]),
    'null while open. overwritten: the manifest changed and replaced the value; reverted: by request; ' +
      'healed: by a rule; resolved: reverted manually; accepted: the manifest now has the value; ignored: excluded by ' +
      'a rule; superseded: continued by a record of its parts or of the whole; pruned: the resource is no longer owned',
  ),
})
export type Drift = Type.Static<typeof Drift>

export const ResourceDetail = namedObject('ResourceDetail', {
  ...Resource.properties,
  desired: Type.Unknown(),
  last_applied: Type.Unknown(),
  live: Type.Unknown(),
  owners: mapOf(Type.Enum(['manifest', 'live'])),
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

/** Manifest change that would accept drift: changed fields and a diff of the file. */
export const Acceptance = namedObject('Acceptance', {
  kind: Type.String(),
  name: Type.String(),
  source: Type.String(),
  location: Type.String({ description: 'Folder or repository of the source' }),
  file: Type.String({ description: 'Path relative to the folder of the manifests' }),
  origin: orNull(
    closedObject({
      url: Type.String(),
      revision: Type.String({ description: 'Commit that has the text of the diff' }),
      file: Type.String({ description: 'Path in the repository' }),
    }),
    'Where the file is changed if the source is a git repository',
  ),
  changes: Type.Array(
    Type.Object({ path: Type.String(), value: Type.Unknown({ description: 'New value; null removes the field' }) }),
  ),
  diff: Type.String({
    description: 'Unified diff; of a repository in the form that git apply reads. Secrets are redacted',
  }),
  redacted: Type.Boolean({ description: 'True if the diff has redacted lines and therefore cannot be applied' }),
})
export type Acceptance = Type.Static<typeof Acceptance>
