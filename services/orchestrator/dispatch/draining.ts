// A daemon that takes no more work: somebody waits to stop it.
import { unavailable } from '../../../platform/problem.ts'
import type { DispatchWorld } from './world.ts'

/** True while no more work is taken. */
export function isDraining({ drainingUntil, clock }: Pick<DispatchWorld, 'drainingUntil' | 'clock'>): boolean {
  return drainingUntil !== null && clock.now() < drainingUntil
}

/** Throws 503 while no more work is taken. */
export function refuseWhileDraining(service: DispatchWorld): void {
  if (isDraining(service))
    throw unavailable(
      'the daemon takes no more tasks: it is about to be stopped; try again when it is back',
      undefined,
      'draining',
    )
}
