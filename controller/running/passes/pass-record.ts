import { eachOf, inPieces } from '../../../platform/async/time-slices.ts'
import type { Shape } from '../../../schemas/members/keyed-list.ts'
import { agreedPaths } from '../../planning/diff.ts'
import type { Subject } from '../../planning/facts.ts'
import { sameSpec } from '../../planning/masking.ts'
import { withMembers } from '../../planning/merge.ts'
import { declarationOf, type Owned } from '../../planning/ownership.ts'
import type { Preview } from '../../planning/preview.ts'
import { anyHeals } from '../../planning/sync-rules.ts'
import type { DesiredResource } from '../../reading/desired-state.ts'
import { idOf } from '../../reading/graph.ts'
import type { Observed } from '../../reconciler.ts'
import type { LiveWatch } from '../../watching/live-watch.ts'
import type { Wakes } from '../../watching/wake-queue.ts'
import type { Intents } from '../runs/intent-records.ts'
import type { Inventory } from '../inventory.ts'

interface Parts {
  inventory: Inventory
  intents: Intents
  watch: LiveWatch
  wakes: Wakes
}

/**
 * Drift about to be overwritten is recorded before this resolves; other drift soon after. Closes unfinished steps of
 * earlier runs.
 */
export async function recordSeen(
  { plan, subjects, judged, unknown }: Preview,
  revision: string,
  { inventory, intents, watch, wakes }: Parts,
): Promise<void> {
  // A resource handed over meanwhile belongs to another source.
  const isHeld = ({ kind, name, recorded }: Subject) => inventory.get(kind, name) === recorded
  const mine = subjects.filter((subject) => subject.entry?.source === plan.source && isHeld(subject))
  const waiting = new Set(plan.steps.filter((step) => step.interrupts).map(idOf))
  const handedOver = new Set(subjects.filter((subject) => !isHeld(subject)).map(idOf))
  const begun = judged.map(({ entry }) => entry).filter((entry) => !handedOver.has(idOf(entry)))
  const settled = new Set(begun.map(idOf))
  const moved: Owned[] = []
  const note = (subject: Subject) => {
    const { entry, resource, found } = subject
    const owned = resource ? withApplied(withDeclared(entry!, resource, revision), found, subject) : entry!
    if (resource) inventory.intern(owned, resource)
    const isIdle = owned.deferredSince !== null && !waiting.has(idOf(subject))
    const isJudged = settled.has(idOf(subject)) && entry !== subject.recorded
    if (owned !== entry || isIdle || isJudged) moved.push(isIdle ? { ...owned, deferredSince: null } : owned)
  }
  await inPieces(eachOf(mine, note))
  if (moved.length + begun.length > 0) await inventory.put(moved, (transaction) => intents.close(transaction, begun))
  intents.forget(begun)
  for (const { kind, name, why } of unknown) {
    const owned = inventory.get(kind, name)
    if (owned?.source === plan.source) watch.recordUnreachable(owned, why)
  }
  const unconfirmed: Subject[] = []
  const confirm = (subject: Subject) => {
    const owned = inventory.get(subject.kind, subject.name)
    if (owned && !watch.confirm(owned, subject.found ?? null)) unconfirmed.push(subject)
  }
  await inPieces(eachOf(mine, confirm))
  const drifted = new Set(plan.drift.map(idOf))
  const overwritten = new Set(plan.steps.map(idOf).filter((id) => drifted.has(id)))
  for (const subject of unconfirmed) {
    if (anyHeals(subject.rules) || overwritten.has(idOf(subject))) await watch.observe(idOf(subject))
    else wakes.observeFirst(idOf(subject))
  }
}

/** Returns the same object if the manifest is unchanged. A changed spec ends a contest. */
function withDeclared(owned: Owned, resource: DesiredResource, revision: string): Owned {
  const isSame = sameSpec(owned.desired, resource.spec)
  const isInPlace = owned.file === resource.file && owned.line === resource.line
  const isDeclaredAlike =
    sameSpec(owned.sync, resource.sync) &&
    sameSpec(owned.labels ?? {}, resource.labels ?? {}) &&
    sameSpec(owned.dependsOn, resource.dependsOn)
  if (isSame && isInPlace && isDeclaredAlike) return owned
  const { contested } = owned
  return {
    ...owned,
    ...declarationOf(resource),
    desired: resource.spec,
    revision,
    ...(contested && !isSame ? { contested: { ...contested, isOver: true } } : {}),
  }
}

/** A live value equal to desired counts as applied, whoever wrote it. */
function withApplied(owned: Owned, live: Observed<any, any> | undefined, shape: Shape): Owned {
  if (!live) return owned
  const { desired, applied } = owned
  if (sameSpec(desired, live.spec)) {
    const isKnown = applied !== null && owned.liveId === live.liveId && sameSpec(applied, desired)
    return isKnown ? owned : { ...owned, liveId: live.liveId, applied: desired }
  }
  const paths = applied === null ? [] : agreedPaths(desired, applied, live.spec, shape)
  return paths.length === 0 ? owned : { ...owned, applied: withMembers(applied, desired, paths, shape) }
}
