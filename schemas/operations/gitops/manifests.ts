import * as Type from 'typebox'
import { Exported } from '../../manifest/export.ts'
import { operation } from '../operation.ts'
import { filterText } from '../parameters.ts'

export const exportLive = operation('controller.exportLive', 'GET /export', {
  identity: 'none',
  summary: 'Export live state as manifests, in YAML or JSON',
  query: Type.Object({ kind: filterText('Any name of a kind: agents, agent or Agent') }),
  reply: { 200: Exported },
  alsoText: 'application/yaml',
})

export const listSchemas = operation('controller.listSchemas', 'GET /schemas', {
  identity: 'none',
  summary: 'List the kinds that have a JSON Schema',
  reply: {
    200: Type.Array(
      Type.Object({ kind: Type.String(), title: Type.String(), manifest_kind: Type.String(), path: Type.String() }),
    ),
  },
})

export const getSchema = operation('controller.getSchema', 'GET /schemas/:file', {
  identity: 'none',
  summary: 'Get the JSON Schema of a kind or of a plan',
  params: Type.Object({ file: Type.String({ description: '<kind>.json or plan.json' }) }),
  reply: { 200: Type.Unknown() },
  produces: 'application/schema+json',
  errors: [404],
})
