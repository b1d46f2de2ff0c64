// Prevents DNS rebinding and cross-site requests.
import type { FastifyRequest } from 'fastify'
import { invalid, Problem } from '../core/problem.ts'
import { outerAddress, type OuterAddress, type OuterOptions } from './gateway/outer-address.ts'

export interface NameOptions extends OuterOptions {
  bind: string
  /** Accepted names besides loopback. */
  hosts: readonly string[]
  /** Pages served on these ports may call each other. */
  ports(): Iterable<number>
}

/**
 * Throws 400 for two hosts, 421 for an unknown Host and 403 for a cross-site Origin. Returns the address that the client used. The page of
 * the public address may call it, whatever its port, and no other page of its host.
 */
export function createNameGuard(options: NameOptions): (request: FastifyRequest) => OuterAddress {
  const { bind, hosts, publicUrl } = options
  const known = [bind, ...hosts, ...(publicUrl ? [publicUrl.hostname] : [])]
  const names = new Set(['localhost', '127.0.0.1', '[::1]', ...known.map(bracketed)])
  const isOurs = (host: string | undefined, { localAddress = '' }: FastifyRequest['socket']): host is string => {
    const hostname = host === undefined ? '' : (parse(`http://${host}`)?.hostname ?? '')
    return hostname !== '' && (names.has(hostname) || hostname === bracketed(localAddress))
  }
  return (request) => {
    const { headers, socket } = request
    refuseAmbiguous(request.raw)
    const outer = outerAddress(request, options)
    // Both: a page on a trusted machine can claim another X-Forwarded-Host, but not another Host.
    for (const host of [headers.host, outer.host])
      if (!isOurs(host, socket))
        throw new Problem(
          421,
          `this daemon does not serve the host "${host ?? ''}": use localhost, or add the host to SVC_HOSTS`,
        )
    const { origin } = headers
    if (origin !== undefined && origin !== publicUrl?.origin && !isSameSite(origin, outer.host!, options, names)) {
      throw new Problem(
        403,
        `pages of ${origin} may not call this daemon: use a page it serves, or a client that sends no Origin`,
      )
    }
    return outer
  }
}

/** Throws 400 for a request that names its host twice, which another program on the way could read differently. */
function refuseAmbiguous({ url = '', rawHeaders }: FastifyRequest['raw']): void {
  if (!url.startsWith('/') && url !== '*') throw invalid('the address should be a path, such as /health')
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) throw invalid('the request has more than one Host header')
}

function isSameSite(origin: string, host: string, options: NameOptions, names: Set<string>): boolean {
  const { publicUrl, ports } = options
  const from = parse(origin)
  if (from === null || (from.protocol !== 'http:' && from.protocol !== 'https:')) return false
  // Plain HTTP of the public host can be changed on its way.
  if (from.hostname === publicUrl?.hostname) return false
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
