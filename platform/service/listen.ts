import type { AddressInfo } from 'node:net'
import type { HttpServer } from '../http/server.ts'
import { Problem, unavailable } from '../core/problem.ts'

/** The address of a service that the port of another serves at `path`. */
export const below = ({ port, url }: Bound, path: string): Bound => ({ port, url: url + path })

export interface Bound {
  port: number
  /** Address for clients on this machine: `http://127.0.0.1:17006`. */
  url: string
}

/** For a request to a port of the process that is bound already. */
export const unbound = (): never => {
  throw unavailable('the daemon is starting: retry in a moment')
}

/** Throws a Problem that names the port and its variable. */
export async function listen(
  app: HttpServer,
  service: string,
  address: { bind: string; port: number },
): Promise<Bound> {
  try {
    await app.listen({ host: address.bind, port: address.port })
  } catch (error) {
    throw portProblem(error as NodeJS.ErrnoException, service, address)
  }
  const { port } = app.server.address() as AddressInfo
  return { port, url: `http://${clientHost(address.bind)}:${port}` }
}

/** Clients cannot connect to a wildcard address. */
function clientHost(bind: string): string {
  if (bind === '0.0.0.0') return '127.0.0.1'
  if (bind === '::') return '[::1]'
  return bind.includes(':') ? `[${bind}]` : bind
}

function portProblem(
  error: NodeJS.ErrnoException,
  service: string,
  { bind, port }: { bind: string; port: number },
): unknown {
  const change = `set SVC_${service.toUpperCase()}_PORT to another port (0: any free one)`
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} of the ${service} service is in use on ${bind}: stop the program that listens there, or ${change}`,
    EACCES: `port ${port} of the ${service} service cannot be bound by this user: ${change}`,
    EADDRNOTAVAIL: `the address ${bind} is not an address of this machine: set SVC_BIND to one`,
    ENOTFOUND: `the address ${bind} cannot be found: set SVC_BIND to an address of this machine`,
  }
  const reason = reasons[error.code ?? '']
  return reason === undefined
    ? error
    : new Problem(409, reason, { code: error.code === 'EADDRINUSE' ? 'address-in-use' : 'conflict', cause: error })
}
