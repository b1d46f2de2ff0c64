// Operations of all services, for clients; the daemon's own list is daemon/services.ts.
import { askOperations } from './ask.ts'
import { communicateOperations } from './communicate.ts'
import { controllerOperations } from './controller.ts'
import { conductorOperations } from './conductor.ts'
import { docstoreOperations } from './docstore.ts'
import { gatewayOperations } from './gateway/index.ts'
import { indexOperations } from './code-index.ts'
import { monitorOperations } from './monitor.ts'
import { notifyOperations } from './notify.ts'
import type { OperationGroup } from './operation.ts'
import { orchestratorOperations } from './orchestrator/index.ts'
import { wrapOperations } from './wrap.ts'

export const everyService: readonly OperationGroup[] = [
  controllerOperations,
  orchestratorOperations,
  notifyOperations,
  wrapOperations,
  askOperations,
  monitorOperations,
  communicateOperations,
  docstoreOperations,
  indexOperations,
  conductorOperations,
  gatewayOperations,
]
