// `$SVC_DATA_DIR/runtime.json`, from which commands find the daemon.
import * as Type from 'typebox'
import { mapOf } from '../shapes.ts'

export const RuntimeFile = Type.Object({
  pid: Type.Integer(),
  started_at: Type.String(),
  version: Type.String(),
  services: mapOf(Type.String(), { description: 'Service to base address' }),
})
export type RuntimeFile = Type.Static<typeof RuntimeFile>
