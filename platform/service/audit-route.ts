import { AuditRecord, LISTED_WRITES, listAudit } from '../../schemas/operations/audit.ts'
import { implement } from '../http/implement.ts'
import type { HttpServer } from '../http/server.ts'
import { auditTableOf } from '../store/audit.ts'
import { table, type TableWorld } from '../store/table.ts'

const NEWEST = { limit: LISTED_WRITES, offset: 0 }

/** Serves the audit log of the service whose tables have the prefix. */
export function auditRoute(app: HttpServer, world: TableWorld, prefix: string): void {
  const rows = table(world, auditTableOf(prefix), AuditRecord, { what: 'audit record', key: ['seq'] })
  implement(app, listAudit, ({ query: { resource, actor, request_id }, page, cursor }) => {
    const [kind, ...id] = resource?.split('/') ?? []
    const resource_id = resource === undefined ? undefined : id.join('/')
    return rows.listed({ where: { kind, resource_id, actor, request_id } }, cursor ?? page ?? NEWEST)
  })
}
