import { randomUUID } from 'node:crypto'
import { ownActor } from '../platform/core/actor.ts'
import type { Config } from '../platform/core/config.ts'
import { callerHeaders, openServiceToken } from '../platform/http/service-callers.ts'

/** Headers of requests that the daemon sends to its own services. */
export const daemonHeaders = ({ serviceTokenFile }: Pick<Config, 'serviceTokenFile'>): Record<string, string> =>
  callerHeaders(ownActor('daemon', randomUUID()), openServiceToken(serviceTokenFile))
