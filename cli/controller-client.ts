import type { ClientOf } from '../platform/http/client.ts'
import { controllerOperations } from '../schemas/operations/controller.ts'
import type { Drift } from '../schemas/resource.ts'
import { connect, type ClientOptions } from './http-client.ts'

export type ControllerClient = ClientOf<typeof controllerOperations>

export const connectController = (options: ClientOptions = {}): ControllerClient =>
  connect(controllerOperations, options)

/** Lists unresolved drift, newest first. */
export const openDrift = (client: ControllerClient): Promise<Drift[]> => client.listDrift({ query: { open: true } })
