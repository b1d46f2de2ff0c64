// Who we are to a browser: the Host names this daemon answers to, and the origins whose pages may drive it.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../core/problem.ts'

export interface NameOptions {
  /** Address the server binds. */
  bind: string
  /** Further names, beside those of the loopback. */
  hosts: readonly string[]
  /** Every port of this daemon: a page served on one of them may call the others. */
  ports(): Iterable<number>
}

/**
 * Refuses a Host that is not ours (421: a rebound name) and a cross-site Origin (403), on HTTP and on upgrades
 * alike.
 */
export function createNameGuard(options: NameOptions): (request: FastifyRequest) => void {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', ...[options.bind, ...options.hosts].map(bracketed)])
  return (request) => {
    const host = request.headers.host
    const hostname = host === undefined ? '' : (parse(`http://${host}`)?.hostname ?? '')
    const isOurs = hostname !== '' && (names.has(hostname) || hostname === bracketed(request.socket.localAddress ?? ''))
    if (!isOurs)
      throw new Problem(
        421,
        `this daemon does not answer to the host "${host ?? ''}": use localhost, or name the host in SVC_HOSTS`,
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

/** A URL that is nothing but an authority, or null. */
function parse(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return url.username || url.password || url.pathname.length > 1 || url.search || url.hash ? null : url
}

/** The form a host has inside an address: lower case, IPv6 in brackets. */
function bracketed(host: string): string {
  return (host.includes(':') && !host.startsWith('[') ? `[${host.replace(/^::ffff:(?=\d+\.)/, '')}]` : host)
    .toLowerCase()
    .replace(/^\[([\d.]+)\]$/, '$1')
}
