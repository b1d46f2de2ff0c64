// Keeps the daemon small: it lives for weeks beside agents that need the memory more.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Lets the heap grow by an eighth of what is alive, and not by several times that, before it is collected. Call before
 * anything is loaded: the space for new objects keeps the size it has by then.
 */
export function growSlowly(): void {
  setFlagsFromString('--heap-growing-percent=12')
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Collects everything now and gives the room back; takes some 100 ms, so only after work that left much behind. */
export function giveBack(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}
