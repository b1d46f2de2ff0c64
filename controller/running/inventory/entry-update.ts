// An inventory entry brought up to date with what a pass has read: where it is declared, what is desired, what has
// been applied.
import type { Shape } from '../../../schemas/members/keyed-list.ts'
import type { DesiredResource } from '../../reading/desired.ts'
import type { Observed } from '../../reconciler.ts'
import { agreedPaths } from '../../planning/diff.ts'
import type { SpecMasker } from '../../planning/masking.ts'
import { withMembers } from '../../planning/merge.ts'
import { declarationOf, type Owned } from '../../planning/ownership.ts'

/** What a pass has seen of one resource; either side may be missing. */
interface Seen {
  desired: DesiredResource | null
  live: Observed<any, any> | undefined
  revision: string
}

/** An inventory entry as the desired and the live state make it: the same object where neither moved it. */
export function updated(
  owned: Owned,
  { desired: resource, live, revision }: Seen,
  masker: SpecMasker,
  shape: Shape,
): Owned {
  if (!resource) return owned
  const sameSpec = masker.same(owned.desired, resource.spec)
  const samePlace =
    owned.file === resource.file &&
    owned.line === resource.line &&
    (owned.sync === resource.sync || JSON.stringify(owned.sync) === JSON.stringify(resource.sync))
  const next =
    sameSpec && samePlace
      ? owned
      : {
          ...owned,
          ...declarationOf(resource),
          desired: resource.spec,
          revision,
          ...(sameSpec ? {} : settledIn(owned)),
        }
  return live ? agreed(next, live, masker, shape) : next
}

/** What was contested is tried once more with what the manifest says now. */
const settledIn = ({ contested }: Owned): Pick<Owned, 'contested'> =>
  contested ? { contested: { ...contested, isOver: true } } : {}

/** Where live is as desired it counts as applied, whoever made it so: from there on, leaving it is drift. */
function agreed(owned: Owned, live: Observed<any, any>, masker: SpecMasker, shape: Shape): Owned {
  if (masker.same(owned.desired, live.spec)) {
    const known = owned.applied !== null && owned.liveId === live.liveId && masker.same(owned.applied, owned.desired)
    return known ? owned : { ...owned, liveId: live.liveId, applied: owned.desired }
  }
  if (owned.applied === null || owned.applied === owned.desired) return owned
  const [wanted, applied, is] = [owned.desired, owned.applied, live.spec].map((spec) => masker.mask(spec))
  const paths = applied!.digest === wanted!.digest ? [] : agreedPaths(wanted!.value, applied!.value, is!.value, shape)
  return paths.length === 0 ? owned : { ...owned, applied: withMembers(owned.applied, owned.desired, paths, shape) }
}
