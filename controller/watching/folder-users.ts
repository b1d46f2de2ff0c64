import { realOf } from '../../platform/core/real-path.ts'
import { isWithin } from '../../platform/files/within.ts'
import type { LiveSystem } from './live-system.ts'

/** Returns kind/name of the resources that are working in the folder now. Throws if one cannot be observed. */
export async function busyIn(
  folder: string,
  { reconcilers, lookup, signal }: Pick<LiveSystem, 'reconcilers' | 'lookup' | 'signal'>,
): Promise<string[]> {
  const top = realOf(folder)
  const busy: string[] = []
  for (const reconciler of reconcilers) {
    if (!reconciler.worksIn) continue
    for (const { spec, running, live } of await reconciler.observeAll(lookup, signal)) {
      const folders = reconciler.interrupts(live) === null ? [] : reconciler.worksIn(running ?? spec)
      if (folders.some((path) => isWithin(realOf(path), top))) busy.push(`${reconciler.definition.kind}/${spec.name}`)
    }
  }
  return busy
}
