// Every operation there is, and how an asker asks for one so that nothing changes where it is let in.
import { randomUUID } from 'node:crypto'
import { controllerOperations } from '../../../schemas/operations/controller.ts'
import type { Operation } from '../../../schemas/operations/operation.ts'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import type { Asker } from './asker.ts'
import { samplePath } from '../../support/hostile-requests.ts'

export const operations = [orchestratorOperations, controllerOperations].flatMap(({ service, operations: members }) =>
  Object.values<Operation>(members).map((operation) => ({ id: operation.id, service, operation })),
)

export interface Answer {
  status: number
  /** Of a refusal. */
  code: string | undefined
  requestId: string
}

/** Of something that does not exist, and with a body that cannot be taken. */
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
  return { status, code: status >= 400 ? (JSON.parse(text) as { code: string }).code : undefined, requestId }
}

/** What a caller may be told by the door: everything else is the handler's. */
export const isRefusal = ({ status }: Answer): boolean => status === 401 || status === 403

/** The agent socket asks for a secret of its own. */
export const isOwnAffair = (operation: Operation): boolean => operation.auth === 'own'
