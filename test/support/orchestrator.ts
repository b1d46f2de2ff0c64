// The orchestrator alone for tests, on the stand of services, with its face at hand.
import { orchestratorRoutes } from '../../api/orchestrator/index.ts'
import { serve } from '../../platform/service/define.ts'
import type { Orchestrator } from '../../services/orchestrator/face.ts'
import { orchestrator } from '../../services/orchestrator/service.ts'
import { startServices, type ServiceStand, type ServiceStandOptions } from './services.ts'

export interface RunningOrchestrator extends ServiceStand {
  /** The face; another one after `reopen`. */
  readonly orchestrator: Orchestrator
}

export async function openOrchestrator(options: ServiceStandOptions): Promise<RunningOrchestrator> {
  const stand = await startServices([serve(orchestrator, (app, face) => orchestratorRoutes(app, face))], options)
  return Object.defineProperty(stand, 'orchestrator', {
    get: () => stand.host.find(orchestrator)!,
  }) as RunningOrchestrator
}
