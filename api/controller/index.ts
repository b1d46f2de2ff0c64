import type { FastifyInstance } from 'fastify'
import type { Controller } from '../../controller/face.ts'
import { doctorRoute } from './doctor.ts'
import { resourceRoutes } from './resources.ts'
import { schemaRoutes } from './schemas.ts'
import { shutDownRoute, type Stoppable } from './shutdown.ts'
import type { Check } from '../../schemas/operations/gitops/doctor.ts'
import type { ShownSetting } from '../../schemas/operations/gitops/settings.ts'
import { settingsRoute } from './settings.ts'
import { sourceRoutes } from './sources.ts'
import { tokenRoute } from './tokens.ts'

export interface DaemonParts {
  /** Stops once the response to `POST /shutdown` is sent. */
  host: Stoppable
  tokensFile: string
  settings(): readonly ShownSetting[]
  /** Does not throw for a failed check. */
  doctor(): Promise<Check[]>
}

export function controllerRoutes(app: FastifyInstance, controller: Controller, daemon: DaemonParts): void {
  sourceRoutes(app, controller)
  resourceRoutes(app, controller)
  schemaRoutes(app)
  tokenRoute(app, daemon.tokensFile)
  settingsRoute(app, daemon.settings)
  doctorRoute(app, daemon.doctor)
  shutDownRoute(app, daemon.host)
}
