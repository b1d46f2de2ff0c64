import { defineService } from '../platform/service/define.ts'
import { controllerOperations } from '../schemas/operations/controller.ts'
import { createController } from './index.ts'
import { controllerMigrations } from './migrations.ts'
import { controllerSettings } from './parts.ts'

export const controller = defineService({
  operations: controllerOperations,
  settings: controllerSettings,
  migrations: controllerMigrations,
  open: createController,
})
