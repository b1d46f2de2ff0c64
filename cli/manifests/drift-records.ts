// Drift records of the daemon.
import type { Drift } from '../../schemas/resource.ts'
import type { ControllerClient } from '../controller-client.ts'

/** Those not resolved yet, newest first. */
export function openDrift(client: ControllerClient): Promise<Drift[]> {
  return client.listDrift({ query: { open: true } })
}
