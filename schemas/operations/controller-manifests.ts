// What can be asked of the controller about manifests as such: what is live as manifests, and the shapes of each kind.
import Type from 'typebox'
import { Exported } from '../manifest/export.ts'
import { operation } from './operation.ts'
import { filterText } from './parameters.ts'

export const exportLive = operation({
  id: 'controller.exportLive',
  summary: 'What is live as the shortest manifests that say it: YAML, or JSON where that is asked for',
  method: 'GET',
  path: '/export',
  query: Type.Object({ kind: filterText('Any word of a kind') }),
  reply: { 200: Exported },
  alsoText: 'application/yaml',
})

export const listSchemas = operation({
  id: 'controller.listSchemas',
  summary: 'The kinds that have a schema',
  method: 'GET',
  path: '/schemas',
  reply: {
    200: Type.Array(
      Type.Object({ kind: Type.String(), title: Type.String(), manifest_kind: Type.String(), path: Type.String() }),
    ),
  },
})

export const getSchema = operation({
  id: 'controller.getSchema',
  summary: 'JSON Schema of a kind, as <kind>.json, or of a plan, as plan.json',
  method: 'GET',
  path: '/schemas/:file',
  params: Type.Object({ file: Type.String() }),
  reply: { 200: Type.Unknown() },
  produces: 'application/schema+json',
  errors: [404],
})
