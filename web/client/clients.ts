import { createClient, type ClientOf, type Transport } from '../../platform/http/client.ts'
import type { controllerOperations } from '../../schemas/operations/controller.ts'
import type { gatewayOperations } from '../../schemas/operations/gateway/index.ts'
import type { notifyOperations } from '../../schemas/operations/notify.ts'
import type { Method, Operation, OperationGroup } from '../../schemas/operations/operation.ts'
import type { orchestratorOperations } from '../../schemas/operations/orchestrator/index.ts'

/** Method and path of each operation by its id, as `npm run build` writes it. */
export type OperationTable = Readonly<Record<string, `${Method} /${string}`>>

export interface Clients {
  controller: ClientOf<typeof controllerOperations>
  gateway: ClientOf<typeof gatewayOperations>
  notify: ClientOf<typeof notifyOperations>
  orchestrator: ClientOf<typeof orchestratorOperations>
}

/** Services whose operations have no service in their address. */
const AT_ROOT: ReadonlySet<string> = new Set(['gateway'])
/** Operations that answer JSON lines. */
const LINES: ReadonlySet<string> = new Set(['controller.apply'])

/** One function per operation of each service. A table that lacks an operation, of an older page, throws when called. */
export function createClients(table: OperationTable, transport: Transport): Clients {
  const groups = new Map<string, Record<string, Operation>>()
  for (const [id, endpoint] of Object.entries(table)) {
    const [service, name] = id.split('.') as [string, string]
    const [method, path] = endpoint.split(' ') as [Method, string]
    const address = AT_ROOT.has(service) ? path : `/${service}${path}`
    const kind = LINES.has(id) ? 'lines' : 'call'
    const operations = groups.get(service) ?? {}
    // The client needs kind, method and path only.
    operations[name] = { kind, id, method, path: address } as Operation
    groups.set(service, operations)
  }
  const clients = [...groups].map(([service, operations]) => [
    service,
    createClient({ service, port: 0, operations } satisfies OperationGroup, transport),
  ])
  return Object.fromEntries(clients) as Clients
}
