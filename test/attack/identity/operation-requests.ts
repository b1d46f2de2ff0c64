// All operations, and requests for them that change nothing even if accepted.
import { randomUUID } from 'node:crypto'
import type { CallOperation, Operation } from '../../../schemas/operations/operation.ts'
import { listAudit } from '../../../schemas/operations/audit.ts'
import { everyService } from '../../../schemas/operations/services.ts'
import type { Asker } from './asker.ts'
import { samplePath } from '../../support/hostile-requests.ts'

/** A route without an operation: its tools are called by name. */
const mcp: CallOperation = {
  kind: 'call',
  id: 'docstore.mcp',
  method: 'POST',
  path: '/mcp',
  summary: 'Serve the tools over MCP',
  readOnly: true,
  identity: 'caller',
  reply: { 200: null },
}

/** Every service has this route. */
const audit = { service: 'controller', operations: { listAudit } }

export const operations = [...everyService, { service: 'docstore', operations: { mcp } }, audit].flatMap(
  ({ service, operations: members }) =>
    Object.values<Operation>(members).map((operation) => ({ id: operation.id, service, operation })),
)

export interface Answer {
  status: number
  code: string | undefined
  requestId: string
}

/** Calls an operation with a missing id and an invalid body. */
export async function askFor(
  asker: Asker,
  url: string,
  operation: Operation,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const requestId = randomUUID()
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.from(requestId.slice(0, 16)).toString('base64'),
  }
  const { status, text } = await asker.http({
    method: operation.method,
    url: url + samplePath(operation),
    headers: {
      'x-request-id': requestId,
      ...(operation.method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(operation.kind === 'socket' ? upgrade : {}),
      ...headers,
    },
    ...(operation.method === 'GET' ? {} : { body: '{"no_such_member": 1}' }),
  })
  return { status, code: status >= 400 ? codeOf(text) : undefined, requestId }
}

/** True if the request was refused before its handler ran. */
export const isRefusal = ({ status }: Answer): boolean => status === 401 || status === 403

/** True for the agent socket, which uses a separate secret. */
export const hasOwnSecret = (operation: Operation): boolean => operation.auth === 'own'

/** The tools answer errors of their protocol, which have a number. */
function codeOf(text: string): string | undefined {
  const { code } = JSON.parse(text) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
