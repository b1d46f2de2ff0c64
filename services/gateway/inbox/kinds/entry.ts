import type { OperationGroup } from '../../../../schemas/operations/operation.ts'
import type { ItemDraft } from '../parts.ts'
import type { ReadList, Reads } from '../reads.ts'

export interface InboxEntry {
  service: string
  /** Rejects if the service cannot be read. */
  find(reads: Reads): Promise<ReadList<ItemDraft>>
}

/** An entry whose items are made from single records of a list; none if `itemsOf` returns none. */
export function entry<T>(
  { service }: Pick<OperationGroup, 'service'>,
  list: (reads: Reads) => Promise<ReadList<T>>,
  itemsOf: (record: T) => readonly ItemDraft[],
): InboxEntry {
  return {
    service,
    find: async (reads) => {
      const { items, isWhole } = await list(reads)
      return { items: items.flatMap(itemsOf), isWhole }
    },
  }
}
