// Fields in which a plan's step gives an agent, or callers, more than the last applied manifest. Pure.
import { widenedMembers, type Widening } from '../../schemas/members/widening.ts'
import { same } from './diff.ts'
import type { MaskedSpec } from './masking.ts'

interface Sides {
  desired: { masked: MaskedSpec } | null
  owned: { applied: MaskedSpec | null } | null
  live: { masked: MaskedSpec } | null
  widens?: Widening | undefined
}

/** Compared with live state if nothing was applied yet, and with nothing if it does not exist. */
export function widensOf({ desired, owned, live, widens }: Sides): string[] {
  if (!desired || !widens) return []
  const before = owned?.applied ?? live?.masked ?? null
  return widenedMembers(before && before.value, desired.masked.value, { widens, isSame: same })
}
