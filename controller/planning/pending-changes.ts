// Configured values that the running resource has not taken up yet. Pure.
import type { Shape } from '../../schemas/members/keyed-list.ts'
import { differences, memberAt, same, type Difference } from './diff.ts'
import { digest, type MaskedSpec } from './masking.ts'
import { withMembers } from './merge.ts'

/** A live resource as configured and, if different, as running. */
export interface LiveSpecs {
  masked: MaskedSpec
  running: MaskedSpec | null
}

/** Fields configured as desired while the running resource still uses other values. */
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

/** Live values for display next to desired: running values for pending fields, else configured ones. */
export function effectiveLive(desired: MaskedSpec, live: LiveSpecs, shape: Shape = {}): Record<string, unknown> {
  if (live.running === null) return live.masked.value
  const paths = pendingDifferences(desired, live, shape).map(({ path }) => path)
  return withMembers(live.masked.value, live.running.value, paths, shape) as Record<string, unknown>
}

/** Digest of the whole live state, to which a saved plan is bound. */
export function liveDigest({ masked, running }: LiveSpecs): string {
  return running === null ? masked.digest : digest(masked.digest + running.digest)
}
