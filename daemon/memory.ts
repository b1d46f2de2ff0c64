// Keeps the daemon small: it lives for weeks beside agents that need the memory more.
import { setFlagsFromString } from 'node:v8'

/**
 * Code that the build had compiled (scripts/script/daemon.mjs) is taken under the very same flags only, those of node in
 * bin/svc among them: there the space for new objects has the size that it keeps.
 */
export const GROWTH_FLAGS = ['--heap-growing-percent=100', '--semi-space-growth-factor=1'] as const

/**
 * Lets the heap grow to twice what is alive, and not to four times that, before it is collected: less would take time
 * (`npm run bench -- flags`). Call before
 * anything is loaded: the space for new objects keeps the size it has by then, also where node was not told one.
 */
export function growSlowly(): void {
  for (const flag of GROWTH_FLAGS) setFlagsFromString(flag)
}
