// Operations of a service in another process. That process cannot see the connection of the caller, so the caller is
// identified here, and named in the call. Nothing that needs a permission is forwarded.
import type { FastifyInstance } from 'fastify'
import { forbidden, Problem } from '../../platform/core/problem.ts'
import { implement, type Asked, type Handler } from '../../platform/http/implement.ts'
import { health } from '../../schemas/operations/health.ts'
import type { CallOperation, Operation, OperationGroup } from '../../schemas/operations/operation.ts'
import type { Gateway } from '../../services/gateway/face.ts'

export function elsewhereRoutes(app: FastifyInstance, group: OperationGroup, gateway: Gateway): void {
  const known = { ...group, operations: { ...group.operations, health: { ...health, id: `${group.service}.health` } } }
  for (const [name, operation] of Object.entries(known.operations)) {
    const here: Operation = { ...operation, path: `/${group.service}${operation.path}` }
    implement(app, here, handlerOf(known, name, gateway) as Handler<Operation>)
  }
}

function handlerOf(group: OperationGroup, name: string, gateway: Gateway): object {
  const operation = group.operations[name]!
  const refuse = (): never => {
    throw unforwarded(group, operation)
  }
  if (operation.kind === 'socket') return { admit: refuse, open: refuse }
  if (!isPlain(operation)) return refuse
  return async (asked: Asked<CallOperation>) => {
    if (needsPermission(operation, asked)) throw guarded(group)
    // The other process records the write.
    asked.actor.audited = true
    const { params, query, body } = asked
    return whileConnected(asked, (signal) => gateway.forward(group, name, { params, query, body, signal }))
  }
}

/** Aborts `work` when the caller disconnects. */
async function whileConnected<T>({ raw }: Asked<CallOperation>, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { socket } = raw.raw
  const leaving = new AbortController()
  const abort = () => leaving.abort()
  socket.once('close', abort)
  try {
    return await work(leaving.signal)
  } finally {
    socket.off('close', abort)
  }
}

/** JSON in both directions. */
const isPlain = (operation: Operation): boolean =>
  operation.kind === 'list' ||
  (operation.kind === 'call' && !operation.bytes && !operation.produces && !operation.alsoText)

function needsPermission(operation: Operation, asked: Asked<CallOperation>): boolean {
  const isGuarded = 'guard' in operation && operation.guard !== undefined && operation.guard !== 'none'
  return isGuarded && !('changesNothing' in operation && operation.changesNothing?.(asked))
}

const guarded = ({ service }: OperationGroup): Problem =>
  forbidden(
    `the ${service} service runs in another process, which cannot identify you through this address: ` +
      `use the address of the service itself`,
    'gateway-no-guarded-writes',
  )

const unforwarded = ({ service }: OperationGroup, { path }: Operation): Problem =>
  new Problem(
    501,
    `${path} of the ${service} service, which runs in another process, is not forwarded: use the address of the service itself`,
  )
