// `$SVC_DATA_DIR/runtime.json`, with which commands find the daemon.
import * as Type from 'typebox'

export const RuntimeFile = Type.Object({
  pid: Type.Integer(),
  started_at: Type.String(),
  version: Type.String(),
  services: Type.Record(Type.String(), Type.String(), { description: 'Service to base address' }),
})
export type RuntimeFile = Type.Static<typeof RuntimeFile>
