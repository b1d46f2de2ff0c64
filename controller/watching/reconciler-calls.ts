// How often live resources are asked after and changed: what a pass costs the services, whatever the machine.
import type { Reconciler } from '../reconciler.ts'

export type Calls = Record<'observe' | 'observeAll' | 'apply' | 'remove', number>

/** The same reconcilers, and the calls made of all of them together since then. */
export function counted(reconcilers: readonly Reconciler[]): { reconcilers: Reconciler[]; calls: Readonly<Calls> } {
  const calls: Calls = { observe: 0, observeAll: 0, apply: 0, remove: 0 }
  const counting = (reconciler: Reconciler): Reconciler => ({
    ...reconciler,
    observe: (...given) => (calls.observe++, reconciler.observe(...given)),
    observeAll: (...given) => (calls.observeAll++, reconciler.observeAll(...given)),
    apply: (...given) => (calls.apply++, reconciler.apply(...given)),
    remove: (...given) => (calls.remove++, reconciler.remove(...given)),
  })
  return { reconcilers: reconcilers.map(counting), calls }
}
