import type { ReactNode } from 'react'
import { isDenied, RequestProblem } from '../client/problem.ts'
import { useLive, type TopicView } from '../live/use-live.ts'
import { DeniedNotice, EmptyNotice, FailureNotice, LoadingRows } from '../parts/states/notices.tsx'
import { useCaller } from './caller.tsx'
import { failureFacts } from './failures.ts'
import { useEmptyText } from './screen-context.ts'

interface TopicStatesProps {
  topic: TopicView<any>
  name: string
  count: number
  /** What the screen needs: "the permission approve". */
  needs: string
  children: ReactNode
}

const isRefused = (error: unknown) =>
  isDenied(error) || (!(error instanceof RequestProblem) && (error as { code?: unknown }).code === 'forbidden')

/** The content of a screen, or its state without content: loading, error, denied, empty. Known records stay. */
export function TopicStates({ topic, name, count, needs, children }: TopicStatesProps) {
  const { store } = useLive()
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
  return isKnown ? <EmptyNotice {...empty} /> : <LoadingRows />
}
