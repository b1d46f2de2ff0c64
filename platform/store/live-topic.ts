// What a service offers to subscribers of live updates.
import type { Unsubscribe } from '../async/change-feed.ts'
import type { Actor } from '../core/actor.ts'
import { Problem } from '../core/problem.ts'
import type { ChangeSource } from './change-triggers.ts'

/** Records whose changes are rows: a subscriber resumes after the last one that it has read. */
export interface RecordedTopic {
  name: string
  /** At least one: a topic without them is sampled. */
  sources: readonly [ChangeSource, ...ChangeSource[]]
  /** Subscribed with an id: `room/<id>`. */
  hasIds?: true
  /** Throws 404, and 403 for a caller without access. Default: all callers have access. */
  open?(of: string, by: Actor): Promise<void>
  /**
   * Current records by id of their change row; deleted ones are missing. `of`: the id of the topic, else empty. Throws
   * PartlyUnread if some cannot be read now.
   */
  read(ids: readonly string[], of: string): Promise<ReadonlyMap<string, object>>
  /** Reports records whose fields outside the database have changed. They are not resumed. */
  unrecorded?(listener: (id: string) => void): Unsubscribe
}

/** Figures without rows, sent when they are new and never resumed. */
export interface SampledTopic {
  name: string
  /** The same object until there is a new one; null before the first one. */
  sample(): object | null
}

/** A record outside the database, read once a second while it has subscribers, sent when it changes, never resumed. */
export interface PolledTopic {
  name: string
  /** Subscribed with an id: `pane/<id>`. */
  hasIds: true
  /** Throws 404, and 403 for a caller without access. */
  open(of: string, by: Actor): Promise<void>
  /** Current record. `of`: the id of the topic. Throws 404 if it no longer exists. */
  poll(of: string): Promise<object>
}

/** 503 with the records that could be read; null for deleted ones. */
export class PartlyUnread extends Problem {
  readonly records: ReadonlyMap<string, object | null>

  constructor(message: string, records: ReadonlyMap<string, object | null>) {
    super(503, message)
    this.records = records
  }
}

export type LiveTopic = RecordedTopic | SampledTopic | PolledTopic

/** Reads each record; one that `get` does not find (404) is missing. */
export async function eachRecord(
  ids: readonly string[],
  get: (id: string) => Promise<object>,
): Promise<Map<string, object>> {
  const found = await Promise.all(
    ids.map(async (id) =>
      get(id).then(
        (record) => [[id, record] as const],
        (error: unknown) => {
          if (error instanceof Problem && error.status === 404) return []
          throw error
        },
      ),
    ),
  )
  return new Map(found.flat())
}
