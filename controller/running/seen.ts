// What a pass has seen, put on record before anything is changed: desired specs, positions, what is applied, and drift.
import { eachOf, inPieces } from '../../platform/async/pieces.ts'
import { idOf } from '../reading/graph.ts'
import type { Subject } from '../planning/facts.ts'
import type { SpecMasker } from '../planning/masking.ts'
import type { Owned } from '../planning/owned.ts'
import type { Preview } from '../planning/preview.ts'
import type { LiveWatch } from '../watching/live-watch.ts'
import type { Wakes } from '../watching/wakes.ts'
import type { Inventory } from './inventory.ts'
import { updated } from './updated-entry.ts'

interface Parts {
  inventory: Inventory
  masker: SpecMasker
  watch: LiveWatch
  wakes: Wakes
}

/** Drift that is about to be healed is recorded before this resolves; other drift is looked into soon after. */
export async function recordSeen(
  { plan, subjects }: Preview,
  revision: string,
  { inventory, masker, watch, wakes }: Parts,
): Promise<void> {
  const mine = subjects.filter(({ entry }) => entry?.source === plan.source)
  const waiting = new Set(plan.steps.filter((step) => step.interrupts).map(idOf))
  const moved: Owned[] = []
  const note = (subject: Subject) => {
    const owned = subject.entry!
    const next = updated(owned, { desired: subject.resource, live: subject.found, revision }, masker, subject.atoms)
    const isSettled = next.deferredSince !== null && !waiting.has(idOf(subject))
    if (next !== owned || isSettled) moved.push(isSettled ? { ...next, deferredSince: null } : next)
  }
  await inPieces(eachOf(mine, note))
  if (moved.length > 0) await inventory.put(moved)
  const unconfirmed: Subject[] = []
  const confirm = (subject: Subject) => {
    const owned = inventory.get(subject.kind, subject.name)
    if (owned && watch.confirm(owned, subject.found ?? null) !== 'confirmed') unconfirmed.push(subject)
  }
  await inPieces(eachOf(mine, confirm))
  for (const subject of unconfirmed) {
    if (subject.rules.drift === 'heal') await watch.observe(idOf(subject))
    else wakes.live(idOf(subject))
  }
}
