// Prevents DNS rebinding and cross-site requests.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../core/problem.ts'

export interface NameOptions {
  bind: string
  /** Accepted names besides loopback. */
  hosts: readonly string[]
  /** Pages served on these ports may call each other. */
  ports(): Iterable<number>
}

/** Throws 421 for an unknown Host and 403 for a cross-site Origin. */
export function createNameGuard(options: NameOptions): (request: FastifyRequest) => void {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', ...[options.bind, ...options.hosts].map(bracketed)])
  return (request) => {
    const host = request.headers.host
    const hostname = host === undefined ? '' : (parse(`http://${host}`)?.hostname ?? '')
    const isOurs = hostname !== '' && (names.has(hostname) || hostname === bracketed(request.socket.localAddress ?? ''))
    if (!isOurs)
      throw new Problem(
        421,
        `this daemon does not serve the host "${host ?? ''}": use localhost, or add the host to SVC_HOSTS`,
      )
    const origin = request.headers.origin
    if (origin !== undefined && !isSameSite(origin, host!, names, options.ports)) {
      throw new Problem(
        403,
        `pages of ${origin} may not call this daemon: use a page it serves, or a client that sends no Origin`,
      )
    }
  }
}

function isSameSite(origin: string, host: string, names: Set<string>, ports: () => Iterable<number>): boolean {
  const from = parse(origin)
  if (from === null || (from.protocol !== 'http:' && from.protocol !== 'https:')) return false
  if (parse(`${from.protocol}//${host}`)?.host === from.host) return true
  const port = Number(from.port || (from.protocol === 'https:' ? 443 : 80))
  return names.has(from.hostname) && [...ports()].includes(port)
}

/** Returns a URL that is only an authority, or null. */
function parse(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return url.username || url.password || url.pathname.length > 1 || url.search || url.hash ? null : url
}

/** Formats a host as in a URL: lower case, IPv6 in brackets. */
function bracketed(host: string): string {
  return (host.includes(':') && !host.startsWith('[') ? `[${host.replace(/^::ffff:(?=\d+\.)/, '')}]` : host)
    .toLowerCase()
    .replace(/^\[([\d.]+)\]$/, '$1')
}
