import type { ChangeSource } from '../platform/store/change-triggers.ts'
import type { RecordedTopic } from '../platform/store/live-topic.ts'
import type { ResourceViews } from './running/resource-views.ts'
import type { Sources } from './running/sources/sources.ts'
import type { Runs } from './running/runs/run-records.ts'
import type { DriftRecords } from './watching/drift-records.ts'

interface Parts {
  views: ResourceViews
  drift: DriftRecords
  runs: Runs
  sources: Sources
}

export function liveTopics({ views, drift, runs, sources }: Parts): RecordedTopic[] {
  return [
    {
      name: 'state',
      sources: [{ table: 'controller_inventory', topic: 'state', id: ['kind', 'name'] }],
      read: (ids) => views.byIds(ids),
    },
    {
      name: 'sources',
      sources: [{ table: 'controller_sources', topic: 'sources', id: ['name'] }],
      read: async (names) => sources.viewsOf(names),
      unrecorded: (listener) => sources.changes(listener),
    },
    {
      name: 'drift',
      sources: [{ table: 'controller_drift', topic: 'drift', id: ['id'] }],
      read: (ids) => drift.byIds(ids),
    },
    {
      name: 'runs',
      sources: [
        { table: 'controller_runs', topic: 'runs', kind: 'runs', id: ['id'] },
        // Steps are deleted with their run.
        {
          table: 'controller_steps',
          topic: 'runs',
          kind: 'steps',
          id: ['run_id', 'seq'],
          events: ['INSERT', 'UPDATE'],
        },
      ],
      read: (ids) => runs.byIds(ids),
    },
  ]
}

export const inboxSources: readonly ChangeSource[] = [
  // A contested resource hides its drift.
  ...['contest', 'drift'].map((kind) => ({
    table: 'controller_inventory',
    topic: 'inbox',
    kind,
    id: ['kind', 'name'],
    columns: ['contested'],
    events: ['UPDATE', 'DELETE'] as const,
  })),
  { table: 'controller_drift', topic: 'inbox', kind: 'drift', id: ['kind', 'name'], events: ['INSERT', 'UPDATE'] },
  { table: 'controller_sources', topic: 'inbox', kind: 'source', id: ['name'] },
  {
    table: 'controller_runs',
    topic: 'inbox',
    kind: 'source',
    id: ['source'],
    columns: ['status'],
    events: ['UPDATE'],
  },
]

/** Changes of the manifests of a kind, whose records have a topic of the same name. */
export const managedRecords = (kind: string): ChangeSource => ({
  table: 'controller_inventory',
  topic: kind,
  id: ['live_id'],
  where: { kind },
  columns: ['live_id', 'source', 'file', 'line'],
})
