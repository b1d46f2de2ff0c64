// Whether an entry covers an address: compared by component, as a browser reads it.
import { domainToASCII } from 'node:url'
import { addressFault } from './address-faults.ts'
import type { Reading } from './file-targets.ts'
import { glob } from './glob.ts'

interface Pattern {
  /** Null: any. */
  scheme: string | null
  host: string
  port: string | null
  /** From the first `/`; null: not said. */
  path: string | null
}

const DEFAULT_PORT: Record<string, string> = { 'http:': '80', 'https:': '443' }

/** An address with a fault (addressFault) is covered in a deny list and not in an allow list. */
export function urlCovers(written: string, url: unknown, reading: Reading): boolean {
  if (typeof url !== 'string' || addressFault(url) !== null) return reading === 'deny'
  const address = new URL(url)
  if (reading === 'deny') return written === '*' || denied(written, url, address)
  if (written === '*') return isWeb(address)
  const pattern = patternOf(written)
  return pattern !== null && hostFits(pattern, address, reading) && restFits(pattern, address)
}

const isWeb = ({ protocol }: URL) => protocol === 'http:' || protocol === 'https:'

function denied(written: string, url: string, address: URL): boolean {
  if (glob(written, url) || glob(written, address.href) || glob(written, decoded(address.href))) return true
  const pattern = patternOf(written)
  if (!pattern || !hostFits(pattern, address, 'deny')) return false
  if (pattern.path === null) return true
  const path = address.pathname + address.search
  // One more decoding than the address needs, and repeated separators, lead to the same place on many servers.
  return [path, address.pathname, decoded(path), decoded(address.pathname)].some((each) =>
    [each, each.replace(/\/{2,}/g, '/')].some(
      (candidate) => glob(pattern.path ?? '', candidate) || glob(pattern.path ?? '', `${candidate}/`),
    ),
  )
}

/** `domain:host[:port]`, or `[scheme://]host[:port][/path]` with stars. */
function patternOf(written: string): Pattern | null {
  const domain = /^domain:([^/?#@\s]+)$/i.exec(written)?.[1]
  const [, scheme, authority, path] =
    domain === undefined
      ? (/^(?:([A-Za-z*][A-Za-z0-9+.*-]*):\/\/)([^/?#@\\]*)([/?#].*)?$/.exec(written) ?? [])
      : [undefined, undefined, domain, undefined]
  if (authority === undefined) return null
  const [, host = authority, port] = /^(.*?):(\d+|\*)$/.exec(authority) ?? []
  const named = scheme === undefined || scheme === '*' ? null : `${scheme.toLowerCase()}:`
  return {
    scheme: named,
    host: canonicalHost(host),
    port: port === '*' ? null : (port ?? null),
    path: domain === undefined ? (path ?? null) : null,
  }
}

/** Small letters, ASCII, without the dot at the end; an IPv4 address in any of its forms in one. */
function canonicalHost(host: string): string {
  const bare = host.replace(/\.$/, '').toLowerCase()
  if (bare.includes('*'))
    return bare
      .split('.')
      .map((label) => (label.includes('*') ? label : domainToASCII(label) || label))
      .join('.')
  const address = `http://${bare}/`
  return mapped(URL.canParse(address) ? new URL(address).hostname : bare)
}

/** An IPv4 address inside an IPv6 one is the same machine. */
function mapped(host: string): string {
  const [, high, low] = /^\[::(?:ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? []
  if (high === undefined || low === undefined) return host
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.')
}

function hostFits({ scheme, host, port }: Pattern, address: URL, reading: Reading): boolean {
  const actual = mapped(address.hostname.replace(/\.$/, ''))
  const fits = glob(host, actual) || (reading === 'deny' && belongs(actual, host))
  const actualPort = address.port || (DEFAULT_PORT[address.protocol] ?? '')
  if (reading === 'deny') return fits && (port === null || port === actualPort)
  const wantedPort = port ?? DEFAULT_PORT[address.protocol] ?? ''
  return fits && (scheme === null ? isWeb(address) : scheme === address.protocol) && wantedPort === actualPort
}

/** Who denies a host means those below it too, and who denies those below it the host itself. */
const belongs = (actual: string, host: string): boolean => actual.endsWith(`.${host}`) || host === `*.${actual}`

function restFits({ path, scheme }: Pattern, address: URL): boolean {
  if (path === null) return scheme === null || (address.pathname === '/' && address.search === '')
  // What a server may still decode could leave the path that an entry allows.
  if (/%(2e|2f|5c|25|00)/i.test(address.pathname)) return false
  return glob(path, address.pathname + address.search) || glob(path, address.pathname + address.search + address.hash)
}

function decoded(text: string): string {
  try {
    const once = decodeURIComponent(text)
    return once.includes('%') ? decodeURIComponent(once) : once
  } catch {
    // Not an encoding: it says what it says.
    return text
  }
}
