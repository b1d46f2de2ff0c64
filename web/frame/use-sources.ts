import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { InboxItem } from '../../schemas/gateway/inbox.ts'
import type { Resource } from '../../schemas/resource.ts'
import type { Source } from '../../schemas/source.ts'
import { inboxTopic, stateTopic } from '../live/topics.ts'
import { useFigure, useLive, useTopic } from '../live/use-live.ts'

/** Revision of the source that was read last. */
function newestRevision(resources: readonly Resource[]): string {
  let newest = { at: '', revision: '' }
  for (const { source, times } of resources)
    if (times.desired.at !== null && times.desired.at > newest.at)
      newest = { at: times.desired.at, revision: `${source}@${times.desired.revision}` }
  return newest.revision
}

/** Changes when a source holds something back, or no longer does. */
const heldMark = (items: readonly InboxItem[]): string =>
  items
    .filter(({ service }) => service === 'controller')
    .map(({ id }) => id)
    .join()

/**
 * The sources of manifests. No topic has them: they are read again when a resource comes from a newer revision, and when
 * a source holds something back or no longer does.
 */
export function useSources(): UseQueryResult<Source[]> {
  const { controller } = useLive().clients
  const revision = useFigure(useTopic(stateTopic).cache, newestRevision)
  const held = useFigure(useTopic(inboxTopic).cache, heldMark)
  return useQuery({
    queryKey: ['sources', revision, held],
    queryFn: ({ signal }) => controller.listSources({ signal }),
    placeholderData: keepPreviousData,
  })
}
