import { defineService } from '../../platform/service/define.ts'
import { orchestratorOperations } from '../../schemas/operations/orchestrator/index.ts'
import { migrations } from './migrations.ts'
import { openOrchestrator } from './open.ts'
import { settings } from './settings.ts'

export const orchestrator = defineService({
  operations: orchestratorOperations,
  settings,
  migrations,
  open: openOrchestrator,
})
