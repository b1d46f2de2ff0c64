import type { Clock } from '../../../platform/core/clock.ts'
import { RecentMap } from '../../../platform/core/recent.ts'

/** Ids of a topic that are remembered. */
const MOST_IDS = 10_000
/** Tolerated difference between the clocks of the database and of the daemon. */
const SLACK_SECS = 60

/** Records whose fields outside the database have changed. A client that resumes has not seen them. */
export class UnrecordedChanges {
  readonly #clock: Pick<Clock, 'now'>
  /** Seconds since 1970 of the last change, by topic and id. */
  readonly #topics = new Map<string, RecentMap<number>>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  add(topic: string, id: string): void {
    let changes = this.#topics.get(topic)
    if (!changes) this.#topics.set(topic, (changes = new RecentMap(MOST_IDS)))
    changes.set(id, this.#clock.now() / 1000)
  }

  /** Ids of the topic that have changed since a time of the database (seconds), perhaps with some from before. */
  since(topic: string, at: number): Set<string> {
    const changes = this.#topics.get(topic)
    const ids = changes ? [...changes.keys()] : []
    return new Set(ids.filter((id) => changes!.get(id)! >= at - SLACK_SECS))
  }
}
