import { replaceUnstorable } from '../../../schemas/validation/text.ts'

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
  /** JSON of a webhook, for `{{payload.…}}`; true if it is the body. */
  payload?: string | true
  /** Number of earlier dispatches in the chain. */
  depth?: number
  /** An agent pushed, triggered or sent it. */
  byAgent?: boolean
  /** Characters of the source that became U+FFFD already. */
  replaced?: number
}

/** Replaces NUL and lone surrogates of foreign text; the metadata `replaced` counts them. */
export function storableTask({ replaced: before = 0, ...task }: TriggeredTask): TriggeredTask {
  const { value, replaced } = replaceUnstorable(task)
  const count = before + replaced
  return count === 0 ? value : { ...value, metadata: { ...value.metadata, replaced: String(count) } }
}
