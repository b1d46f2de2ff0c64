// The world of a run that a test performs in its own process, beside the services of a stand.
import { randomUUID } from 'node:crypto'
import { systemClock, type Clock } from '../../../platform/core/clock.ts'
import { createLog } from '../../../platform/core/log/log.ts'
import { openServiceToken } from '../../../platform/http/service-callers.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import { RefusedCalls } from '../../../platform/service/refused-calls.ts'
import { callSibling } from '../../../platform/service/siblings.ts'
import type { World } from '../../../platform/service/world.ts'
import type { OperationGroup } from '../../../schemas/operations/operation.ts'
import type { RunParts } from '../../../services/conductor/execution/run.ts'
import type { ServiceStand } from '../../support/services.ts'

const log = createLog({ level: 'silent', format: 'json' })

interface RunWorldOptions {
  clock?: Clock
  /** Replaces the client of a service. */
  wrap?<Client extends object>(client: Client, service: string): Client
}

export const runWorld = (
  { db, host }: Pick<ServiceStand, 'db' | 'host'>,
  { clock = systemClock, wrap = (client) => client }: RunWorldOptions = {},
): RunParts['world'] => ({
  db,
  vault: Vault.open(host.config.keyFile),
  clock,
  log,
  ids: randomUUID,
  call: ((group: OperationGroup) => {
    const client = callSibling(group, {
      self: 'svc-conductor',
      addressOf: ({ service }) => host.urls[service]!,
      serviceToken: openServiceToken(host.config.serviceTokenFile),
      token: null,
      refused: new RefusedCalls('svc-conductor'),
    })
    return wrap(client, group.service)
  }) as World['call'],
})
