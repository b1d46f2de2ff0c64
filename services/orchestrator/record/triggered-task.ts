export interface TriggeredTask {
  /** Unique within the source: `manual:<id>`. */
  sourceId: string
  title: string
  body?: string
  url?: string
  labels?: readonly string[]
  assignee?: string
  /** Deduplication key, at most 255 characters: the workflow accepts each key once. */
  seenAs?: string
  metadata?: Readonly<Record<string, string>>
  /** Number of earlier dispatches in the chain. */
  depth?: number
  /** An agent pushed, triggered or sent it. */
  byAgent?: boolean
}
