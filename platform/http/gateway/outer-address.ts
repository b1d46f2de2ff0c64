// The address that a client sees, which differs from ours behind a proxy.
import type { BlockList } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isTrusted } from '../../core/proxies.ts'

export interface CookieScope {
  /** Path of the public address, or `/`. */
  path: string
  /** The client uses https. */
  isSecure: boolean
}

export interface OuterAddress extends CookieScope {
  /** Host as the client wrote it; undefined without one. */
  host: string | undefined
  /** A proxy sent the request, so its peer is not its caller. */
  isForwarded: boolean
}

export interface OuterOptions {
  publicUrl: URL | null
  trustedProxies: BlockList
}

/** Believes X-Forwarded-Host and X-Forwarded-Proto of trusted proxies only. */
export function outerAddress(request: FastifyRequest, { publicUrl, trustedProxies }: OuterOptions): OuterAddress {
  const { headers, socket } = request
  const isOfProxy = isTrusted(trustedProxies, socket.remoteAddress)
  const host = (isOfProxy ? single(headers['x-forwarded-host']) : undefined) || headers.host
  const protocol = isOfProxy ? single(headers['x-forwarded-proto']) : undefined
  // A proxy may replace the host, but never the origin.
  const isPublic =
    publicUrl !== null && (hostIn(publicUrl, host) === publicUrl.host || headers.origin === publicUrl.origin)
  return {
    host,
    isForwarded: isOfProxy || Object.keys(headers).some((name) => /^(?:x-)?forwarded(?:-|$)/.test(name)),
    path: isPublic ? publicUrl.pathname : '/',
    isSecure: protocol === 'https' || (isPublic && publicUrl.protocol === 'https:'),
  }
}

/** Without the default port, as in a URL. */
function hostIn({ protocol }: URL, host: string | undefined): string | null {
  const address = `${protocol}//${host}`
  return host !== undefined && URL.canParse(address) ? new URL(address).host : null
}

/** Each proxy appends its value; the last one is that of the proxy we trust. */
function single(header: string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).split(',').at(-1)!.trim().toLowerCase()
}
