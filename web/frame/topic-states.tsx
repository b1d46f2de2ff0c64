import type { ReactNode } from 'react'
import { useLive, useLostAt, type TopicView } from '../live/use-live.ts'
import { DeniedNotice, EmptyNotice, FailureNotice, LoadingRows } from '../parts/states/notices.tsx'
import { useCaller } from './caller.tsx'
import { failureFacts, isRefused } from './failures.ts'
import { useEmptyText } from './screen-context.ts'

interface TopicStatesProps {
  topic: TopicView<any>
  name: string
  count: number
  /** What the screen needs: "the permission approve". */
  needs: string
  children: ReactNode
}

const NOT_READ = 'The connection was lost before this was read. It is read when the connection is back.'

/** The content of a screen, or its state without content: loading, error, denied, empty. Known records stay. */
export function TopicStates({ topic, name, count, needs, children }: TopicStatesProps) {
  const { store } = useLive()
  const isLost = useLostAt() !== null
  const caller = useCaller()
  const empty = useEmptyText()
  const { state, isKnown } = topic
  if (state.kind === 'failed') {
    const facts = failureFacts(state.error)
    if (isRefused(state.error)) return <DeniedNotice {...caller} needs={needs} detail={facts.detail} />
    const notice = <FailureNotice facts={facts} onRetry={() => store.readAgain(name)} />
    return isKnown ? (
      <>
        {notice}
        {children}
      </>
    ) : (
      notice
    )
  }
  if (count > 0) return children
  if (isKnown) return <EmptyNotice {...empty} />
  return isLost ? <EmptyNotice what={NOT_READ} /> : <LoadingRows />
}
