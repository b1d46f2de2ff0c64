export interface TriggeredTask {
  /** Unique within the source: `manual:<id>`. */
  sourceId: string
  title: string
  body?: string
  url?: string
  labels?: readonly string[]
  assignee?: string
  /** Deduplication key, at most 255 characters: the workflow takes each key once. */
  seenAs?: string
  metadata?: Readonly<Record<string, string>>
  /** Earlier dispatches of the chain. */
  depth?: number
}
