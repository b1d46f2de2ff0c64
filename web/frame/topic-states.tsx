import type { ReactNode } from 'react'
import { useLive, useLostAt, type TopicView } from '../live/use-live.ts'
import { DeniedNotice, EmptyNotice, FailureNotice, LoadingRows } from '../parts/states/notices.tsx'
import { useCaller } from './caller.tsx'
import { failureFacts, isRefused } from './failures.ts'
import { useEmptyText } from './screen-context.ts'

interface ReadFailureProps {
  error: unknown
  /** What the read takes; default: a role or permission. */
  needs?: string
  onRetry(): void
}

/** Why something cannot be read: a failure with its next step, or who the caller is and what it lacks. */
export function ReadFailure({ error, needs = 'another role or permission', onRetry }: ReadFailureProps) {
  const caller = useCaller()
  const facts = failureFacts(error)
  if (isRefused(error)) return <DeniedNotice {...caller} needs={needs} detail={facts.detail} />
  return <FailureNotice facts={facts} onRetry={onRetry} />
}

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
  const empty = useEmptyText()
  const { state, isKnown } = topic
  if (state.kind === 'failed') {
    const notice = <ReadFailure error={state.error} needs={needs} onRetry={() => store.readAgain(name)} />
    return isKnown && !isRefused(state.error) ? (
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
