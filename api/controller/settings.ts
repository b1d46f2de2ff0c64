import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import { listSettings, type ShownSetting } from '../../schemas/operations/gitops/settings.ts'

export function settingsRoute(app: FastifyInstance, settings: () => readonly ShownSetting[]): void {
  implement(app, listSettings, async () => settings())
}
