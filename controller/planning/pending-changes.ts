// What is on record as desired and has not been taken up: the live resource runs with other values than it is
// configured. Pure.
import type { Shape } from '../../schemas/members/keyed-list.ts'
import { differences, memberAt, same, type Difference } from './diff.ts'
import { digest, type MaskedSpec } from './masking.ts'
import { withMembers } from './merge.ts'

/** A live resource as it is configured and, where that is not the same, as it runs. */
export interface LiveSpecs {
  masked: MaskedSpec
  running: MaskedSpec | null
}

/**
 * Members that are configured as desired while what runs was started with other values: the manifest's to carry
 * out.
 */
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

/** Live as it is to be shown beside what is desired: what runs, but for members that were configured otherwise. */
export function effectiveLive(desired: MaskedSpec, live: LiveSpecs, shape: Shape = {}): Record<string, unknown> {
  if (live.running === null) return live.masked.value
  const paths = pendingDifferences(desired, live, shape).map(({ path }) => path)
  return withMembers(live.masked.value, live.running.value, paths, shape) as Record<string, unknown>
}

/** Of the whole live state: what a saved plan is bound to. */
export function liveDigest({ masked, running }: LiveSpecs): string {
  return running === null ? masked.digest : digest(masked.digest + running.digest)
}
