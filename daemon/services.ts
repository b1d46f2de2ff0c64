// Every service of the daemon, in the order they are opened and started. Adding a service adds one line here.
import { controllerRoutes } from '../api/controller/index.ts'
import { orchestratorRoutes } from '../api/orchestrator/index.ts'
import type { SourceConfig } from '../controller/index.ts'
import { controller } from '../controller/service.ts'
import { serve, type Served } from '../platform/service/define.ts'
import { createReconcilers } from '../reconcilers/index.ts'
import { kindsToCome } from '../schemas/kinds.ts'
import { orchestrator } from '../services/orchestrator/service.ts'

export interface Composition {
  /** Where the controller's desired state comes from. */
  sources: readonly SourceConfig[]
}

export const services = ({ sources }: Composition): readonly Served[] => [
  serve(orchestrator, (app, face, host) =>
    orchestratorRoutes(app, face, (kind, liveId) => host.find(controller)?.managedBy(kind, liveId) ?? null),
  ),
  serve(controller, (app, face, host) => controllerRoutes(app, face, (asked) => void host.stop(asked)), {
    needs: ['orchestrator'],
    parts: (host) => ({ reconcilers: createReconcilers(host.find(orchestrator)!), kindsToCome, sources }),
  }),
]

/** The service that the documented PORT means where several run. */
export const PRIMARY = 'orchestrator'
