import { DeniedNotice, FailureNotice } from '../parts/states/notices.tsx'
import { useCaller } from './caller.tsx'
import { failureFacts, isRefused } from './failures.ts'

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
