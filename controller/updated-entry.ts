// An inventory entry brought up to date with what a pass has read: where it is declared, what is desired, what has been applied.
import type { Canon } from './canonical.ts'
import type { DesiredResource } from './desired.ts'
import { agreedPaths, withMembers } from './diff.ts'
import type { Owned } from './inventory.ts'
import type { Observed } from './reconciler.ts'

/** What a pass has seen of one resource; either side may be missing. */
interface Seen {
  desired: DesiredResource | undefined
  live: Observed<any, any> | undefined
  revision: string
}

/** An inventory entry as the desired and the live state make it: the same object where neither moved it. */
export function updated(
  owned: Owned,
  { desired: resource, live, revision }: Seen,
  canon: Canon,
  atoms: readonly string[],
): Owned {
  if (!resource) return owned
  const wanted = canon.mask(resource.spec)
  const sameSpec = owned.desired === resource.spec || canon.mask(owned.desired).text === wanted.text
  const samePlace =
    owned.file === resource.file &&
    owned.line === resource.line &&
    JSON.stringify(owned.sync) === JSON.stringify(resource.sync)
  if (sameSpec) shareSpec(owned, resource.spec)
  const next = sameSpec && samePlace ? owned : { ...owned, ...pick(resource), desired: resource.spec, revision }
  return live ? agreed(next, live, canon, atoms) : next
}

/** Where live is as desired it counts as applied, whoever made it so: from there on, leaving it is drift. */
function agreed(owned: Owned, live: Observed<any, any>, canon: Canon, atoms: readonly string[]): Owned {
  const [wanted, is] = [canon.mask(owned.desired), canon.mask(live.spec)]
  if (wanted.text === is.text) {
    const known =
      owned.applied !== null && owned.liveId === live.liveId && canon.mask(owned.applied).text === wanted.text
    return known ? owned : { ...owned, liveId: live.liveId, applied: owned.desired }
  }
  if (owned.applied === null || owned.applied === owned.desired) return owned
  const applied = canon.mask(owned.applied)
  const paths = applied.text === wanted.text ? [] : agreedPaths(wanted.value, applied.value, is.value, atoms)
  return paths.length === 0 ? owned : { ...owned, applied: withMembers(owned.applied, owned.desired, paths) }
}

/** One object in place of two equal ones: the reader keeps its own anyway. */
function shareSpec(owned: Owned, spec: unknown): void {
  if (owned.applied === owned.desired) owned.applied = spec
  owned.desired = spec
}

function pick({
  file,
  line,
  column,
  sync,
  dependsOn,
}: DesiredResource): Pick<Owned, 'file' | 'line' | 'column' | 'sync' | 'dependsOn'> {
  return { file, line, column, sync, dependsOn }
}
