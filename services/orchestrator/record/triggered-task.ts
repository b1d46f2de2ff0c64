// A task as a trigger yields it.

export interface TriggeredTask {
  /** Names the task within its source: `manual:<id>`. */
  sourceId: string
  title: string
  body?: string
  url?: string
  labels?: readonly string[]
  assignee?: string
  /**
   * Of what a source lists again and again: a name of it, at most 255 characters. The workflow takes it on once and
   * leaves it out from then on.
   */
  seenAs?: string
  /** Further variables of the template. */
  metadata?: Readonly<Record<string, string>>
  /** Of a task that follows from another one: how many went before it. */
  depth?: number
}
