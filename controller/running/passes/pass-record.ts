// What a pass has seen, put on record before anything is changed: desired specs, positions, what is applied, and drift.
import { eachOf, inPieces } from '../../../platform/async/time-slices.ts'
import { idOf } from '../../reading/graph.ts'
import type { Subject } from '../../planning/facts.ts'
import { declarationOf, type Owned } from '../../planning/ownership.ts'
import type { Preview } from '../../planning/preview.ts'
import { anyHeals } from '../../planning/sync-rules.ts'
import type { LiveWatch } from '../../watching/live-watch.ts'
import type { Wakes } from '../../watching/wake-queue.ts'
import type { Intents } from '../runs/open-intents.ts'
import type { Inventory } from '../inventory/inventory.ts'
import type { Vault } from '../../../platform/secrets/vault.ts'
import type { Shape } from '../../../schemas/members/keyed-list.ts'
import { agreedPaths } from '../../planning/diff.ts'
import { sameSpec, maskSpec } from '../../planning/masking.ts'
import { withMembers } from '../../planning/merge.ts'
import type { DesiredResource } from '../../reading/desired.ts'
import type { Observed } from '../../reconciler.ts'

interface Parts {
  inventory: Inventory
  intents: Intents
  vault: Vault
  watch: LiveWatch
  wakes: Wakes
}

/**
 * Drift of what is about to be changed is recorded before this resolves; other drift is looked into soon after. Steps
 * that an earlier run left open are closed: from here on the entries say what of them came about.
 */
export async function recordSeen(
  { plan, subjects, judged, unknown }: Preview,
  revision: string,
  { inventory, intents, vault, watch, wakes }: Parts,
): Promise<void> {
  // What was handed over since is no longer ours to write.
  const isHeld = ({ kind, name, recorded }: Subject) => inventory.get(kind, name) === recorded
  const mine = subjects.filter((subject) => subject.entry?.source === plan.source && isHeld(subject))
  const waiting = new Set(plan.steps.filter((step) => step.interrupts).map(idOf))
  const handedOver = new Set(subjects.filter((subject) => !isHeld(subject)).map(idOf))
  const begun = judged.map(({ entry }) => entry).filter((entry) => !handedOver.has(idOf(entry)))
  const settled = new Set(begun.map(idOf))
  const moved: Owned[] = []
  const note = (subject: Subject) => {
    const owned = subject.entry!
    const next = updateEntry(owned, { desired: subject.resource, live: subject.found, revision }, vault, subject)
    if (subject.resource) inventory.intern(next, subject.resource)
    const isSettled = next.deferredSince !== null && !waiting.has(idOf(subject))
    const isJudged = settled.has(idOf(subject)) && owned !== subject.recorded
    if (next !== owned || isSettled || isJudged) moved.push(isSettled ? { ...next, deferredSince: null } : next)
  }
  await inPieces(eachOf(mine, note))
  if (moved.length + begun.length > 0) await inventory.put(moved, (transaction) => intents.close(transaction, begun))
  intents.closed(begun)
  for (const { kind, name, why } of unknown) {
    const owned = inventory.get(kind, name)
    if (owned?.source === plan.source) watch.unreachable(owned, why)
  }
  const unconfirmed: Subject[] = []
  const confirm = (subject: Subject) => {
    const owned = inventory.get(subject.kind, subject.name)
    if (owned && watch.confirm(owned, subject.found ?? null) !== 'confirmed') unconfirmed.push(subject)
  }
  await inPieces(eachOf(mine, confirm))
  const drifted = new Set(plan.drift.map(idOf))
  const overwritten = new Set(plan.steps.map(idOf).filter((id) => drifted.has(id)))
  for (const subject of unconfirmed) {
    if (anyHeals(subject.rules) || overwritten.has(idOf(subject))) await watch.observe(idOf(subject))
    else wakes.live(idOf(subject))
  }
}

/** What a pass has seen of one resource; either side may be missing. */
interface Seen {
  desired: DesiredResource | null
  live: Observed<any, any> | undefined
  revision: string
}

/** An inventory entry as the desired and the live state make it: the same object where neither moved it. */
function updateEntry(owned: Owned, { desired: resource, live, revision }: Seen, vault: Vault, shape: Shape): Owned {
  if (!resource) return owned
  const isSame = sameSpec(owned.desired, resource.spec)
  const samePlace =
    owned.file === resource.file &&
    owned.line === resource.line &&
    (owned.sync === resource.sync || JSON.stringify(owned.sync) === JSON.stringify(resource.sync))
  const next =
    isSame && samePlace
      ? owned
      : {
          ...owned,
          ...declarationOf(resource),
          desired: resource.spec,
          revision,
          ...(isSame ? {} : settledIn(owned)),
        }
  return live ? agreed(next, live, vault, shape) : next
}

/** What was contested is tried once more with what the manifest says now. */
const settledIn = ({ contested }: Owned): Pick<Owned, 'contested'> =>
  contested ? { contested: { ...contested, isOver: true } } : {}

/** Where live is as desired it counts as applied, whoever made it so: from there on, leaving it is drift. */
function agreed(owned: Owned, live: Observed<any, any>, vault: Vault, shape: Shape): Owned {
  if (sameSpec(owned.desired, live.spec)) {
    const known = owned.applied !== null && owned.liveId === live.liveId && sameSpec(owned.applied, owned.desired)
    return known ? owned : { ...owned, liveId: live.liveId, applied: owned.desired }
  }
  if (owned.applied === null || owned.applied === owned.desired) return owned
  const [wanted, applied, is] = [owned.desired, owned.applied, live.spec].map((spec) => maskSpec(spec, vault))
  const paths = applied!.digest === wanted!.digest ? [] : agreedPaths(wanted!.value, applied!.value, is!.value, shape)
  return paths.length === 0 ? owned : { ...owned, applied: withMembers(owned.applied, owned.desired, paths, shape) }
}
