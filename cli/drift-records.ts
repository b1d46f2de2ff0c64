// Drift records of the daemon.
import type { Drift } from '../schemas/resource.ts'
import type { Client } from './http-client.ts'

/** Those not resolved yet, newest first. */
export function openDrift(client: Client): Promise<Drift[]> {
  return client.get<Drift[]>('/drift?open=true')
}
