// Configured values that the running resource does not use yet. Pure.
import type { Shape } from '../../schemas/members/keyed-list.ts'
import { differences, memberAt, same, type Difference } from './diff.ts'
import { digest, type MaskedSpec } from './masking.ts'
import { withMembers } from './merge.ts'

/** As configured, and as running if different. */
export interface LiveSpecs {
  masked: MaskedSpec
  running: MaskedSpec | null
}

export function pendingDifferences(
  desired: MaskedSpec,
  { masked, running }: LiveSpecs,
  shape: Shape = {},
): Difference[] {
  if (running === null) return []
  const configured = masked.value
  return differences(desired.value, null, running.value, shape).filter(({ path }) =>
    same(memberAt(configured, path, shape), memberAt(desired.value, path, shape)),
  )
}

/** For display: the running value of pending fields, else the configured one. */
export function effectiveLive(desired: MaskedSpec, live: LiveSpecs, shape: Shape = {}): Record<string, unknown> {
  if (live.running === null) return live.masked.value
  const paths = pendingDifferences(desired, live, shape).map(({ path }) => path)
  return withMembers(live.masked.value, live.running.value, paths, shape) as Record<string, unknown>
}

/** Saved plans are bound to this digest. */
export function liveDigest({ masked, running }: LiveSpecs): string {
  return running === null ? masked.digest : digest(masked.digest + running.digest)
}
