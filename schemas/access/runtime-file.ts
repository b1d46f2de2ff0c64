// `$SVC_DATA_DIR/runtime.json`: how commands find the daemon.
import Type, { type Static } from 'typebox'

export const RuntimeFile = Type.Object({
  pid: Type.Integer(),
  started_at: Type.String(),
  version: Type.String(),
  services: Type.Record(Type.String(), Type.String(), { description: 'Service to base address' }),
})
export type RuntimeFile = Static<typeof RuntimeFile>
