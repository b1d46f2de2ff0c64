// What can be asked of the controller about manifests as such: what is live as manifests, and the shapes of each kind.
import * as Type from 'typebox'
import { Exported } from '../manifest/export.ts'
import { operation } from './operation.ts'
import { filterText } from './parameters.ts'

export const exportLive = operation('controller.exportLive', 'GET /export', {
  summary: 'What is live as the shortest manifests that say it: YAML, or JSON where that is asked for',
  query: Type.Object({ kind: filterText('Any word of a kind') }),
  reply: { 200: Exported },
  alsoText: 'application/yaml',
})

export const listSchemas = operation('controller.listSchemas', 'GET /schemas', {
  summary: 'The kinds that have a schema',
  reply: {
    200: Type.Array(
      Type.Object({ kind: Type.String(), title: Type.String(), manifest_kind: Type.String(), path: Type.String() }),
    ),
  },
})

export const getSchema = operation('controller.getSchema', 'GET /schemas/:file', {
  summary: 'JSON Schema of a kind, as <kind>.json, or of a plan, as plan.json',
  params: Type.Object({ file: Type.String() }),
  reply: { 200: Type.Unknown() },
  produces: 'application/schema+json',
  errors: [404],
})
