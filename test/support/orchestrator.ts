// The orchestrator as the only service, for tests.
import { orchestratorRoutes } from '../../api/orchestrator/index.ts'
import { serve } from '../../platform/service/define.ts'
import type { Orchestrator } from '../../services/orchestrator/face.ts'
import { orchestrator } from '../../services/orchestrator/service.ts'
import { startServices, type ServiceStand, type ServiceStandOptions } from './services.ts'

export interface RunningOrchestrator extends ServiceStand {
  /** Changes with `reopen`. */
  readonly orchestrator: Orchestrator
}

export async function openOrchestrator(options: ServiceStandOptions): Promise<RunningOrchestrator> {
  const stand = await startServices([serve(orchestrator, (app, face) => orchestratorRoutes(app, face))], options)
  return Object.defineProperty(stand, 'orchestrator', {
    get: () => stand.host.find(orchestrator)!,
  }) as RunningOrchestrator
}
