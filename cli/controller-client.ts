// The typed client of the controller, as commands use it.
import type { ClientOf } from '../platform/http/client.ts'
import { controllerOperations } from '../schemas/operations/controller.ts'
import { connect, type ClientOptions } from './http-client.ts'

export type ControllerClient = ClientOf<typeof controllerOperations>

export const connectController = (options: ClientOptions = {}): ControllerClient =>
  connect(controllerOperations, options)
