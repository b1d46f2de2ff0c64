import { isDenied, nextStep, RequestProblem } from '../client/problem.ts'
import type { FailureFacts } from '../parts/states/notices.tsx'

/** A part of the page that cannot be loaded, as after an update of the daemon. */
export class MissingPart extends Error {}

/** Loads a part of the page. Without it, the page is older than the daemon. */
export const partOf =
  <Part>(load: () => Promise<Part>): (() => Promise<Part>) =>
  () =>
    load().catch(() => {
      throw new MissingPart()
    })

/** True if the caller lacks the permission to read: in an answer, or of a live topic. */
export const isRefused = (error: unknown): boolean =>
  isDenied(error) || (!(error instanceof RequestProblem) && (error as { code?: unknown } | null)?.code === 'forbidden')

/** Facts of any error for its notice. An error of the page itself has no code of the daemon. */
export function failureFacts(error: unknown): FailureFacts {
  if (error instanceof RequestProblem)
    return { detail: error.message, code: error.code, requestId: error.requestId, step: nextStep(error) }
  if (error instanceof MissingPart) {
    const detail = 'This part of the page cannot be loaded. The daemon may have a newer page.'
    return { detail, code: 'page-part-missing', requestId: null, step: 'Reload the page; drafts are kept.' }
  }
  // Of a live topic.
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && typeof message === 'string')
    return { detail: message, code, requestId: null, step: nextStep({ code, status: 0 }) }
  const detail = error instanceof Error ? error.message : String(error)
  return { detail, code: 'page-error', requestId: null, step: 'Reload the page; drafts are kept.' }
}
