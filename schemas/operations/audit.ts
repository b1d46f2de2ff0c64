import * as Type from 'typebox'
import { namedObject } from '../shapes.ts'
import { list } from './operation.ts'
import { filterText } from './parameters.ts'

export const AuditRecord = namedObject('AuditRecord', {
  seq: Type.Integer({ description: 'Grows with each write of the service' }),
  kind: Type.String({ description: 'Kind of resource; operation: a write that changed no resource, by its name' }),
  resource_id: Type.String(),
  field: Type.String({ description: 'Written field; empty: the whole resource' }),
  actor: Type.String(),
  request_id: Type.String(),
  endpoint: Type.String(),
  at: Type.String({ format: 'date-time' }),
})

/** Without `limit` and `offset`. */
export const LISTED_WRITES = 200

export const listAudit = list('common.listAudit', '/audit', {
  // The writes of all callers, by name.
  guard: 'policy',
  identity: 'caller',
  summary: `List the newest ${LISTED_WRITES} written fields, or a page`,
  query: Type.Object({
    resource: Type.Optional(Type.String({ pattern: '^[^/]+/.+$', description: 'Kind and id: agents/1f3c9a2b-…' })),
    actor: filterText('Author of the write'),
    request_id: filterText('Id of the request'),
  }),
  item: AuditRecord,
  cursors: {},
})
