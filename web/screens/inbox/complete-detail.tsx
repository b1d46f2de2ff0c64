import { useQuery } from '@tanstack/react-query'
import type { InboxItem } from '../../../schemas/gateway/inbox.ts'
import { ReadFailure } from '../../frame/topic-states.tsx'
import { useLive } from '../../live/use-live.ts'
import { LoadingRows } from '../../parts/states/notices.tsx'
import { Said } from '../../parts/text/quoted.tsx'
import { completeTexts } from './item-links.ts'
import { PartDetail } from './part-text.tsx'

/** What an item says, complete: the list has a long text without its middle. */
export function CompleteDetail({ item }: { item: InboxItem }) {
  const { send } = useLive()
  const { kind, id, detail, links } = item
  const link = links.find(({ method }) => method === 'GET')
  const isSaid = kind === 'question' || kind === 'notification'
  const { data, error, refetch } = useQuery({
    queryKey: ['item', id],
    queryFn: () => send('GET', link!.path),
    enabled: isSaid && link !== undefined,
  })
  if (!isSaid || link === undefined) return <PartDetail parts={detail} />
  if (error) return <ReadFailure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <LoadingRows count={2} />
  const [said] = detail.flatMap((part) => ('quoted' in part ? (part.by ?? []) : []))
  const by = (said ?? kind).replace(/^agent:/, '')
  return completeTexts(data).map((text, index) => <Said key={index} by={by} text={text} />)
}
