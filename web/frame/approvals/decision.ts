import type { AlikeDecision, AlikeResult, ApprovalDecision } from '../../../schemas/tools/approval.ts'

export type Verdict = AlikeDecision['verdict']

/** Requests that the daemon decides in one call. */
const MOST_ALIKE = 200

/** Decisions on identical requests. They have no scope: a decision for the session would cover other calls. */
export function alikeDecisions(
  verdict: Verdict,
  ids: readonly string[],
  { reason }: ApprovalDecision,
): AlikeDecision[] {
  const more = reason === undefined ? {} : { reason }
  const parts = Array.from({ length: Math.ceil(ids.length / MOST_ALIKE) }, (_, part) =>
    ids.slice(part * MOST_ALIKE, (part + 1) * MOST_ALIKE),
  )
  return parts.map((part) => ({ verdict, ids: part, ...more }))
}

/** The first refusal of a joint decision, with the number of requests that were decided; null if all were. */
export function refusalOf(results: readonly AlikeResult[]): AlikeResult['problem'] {
  const refused = results.flatMap(({ problem }) => problem ?? [])
  const [first] = refused
  if (first === undefined) return null
  const decided = results.length - refused.length
  return { ...first, detail: `${decided} decided, ${refused.length} refused: ${first.detail}` }
}
