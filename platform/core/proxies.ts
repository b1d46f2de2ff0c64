// Settings of a daemon behind a proxy.
import { BlockList, isIP } from 'node:net'

export interface ProxySettings {
  /** Address at which browsers reach the daemon through a proxy, without query and fragment. Null: not through a proxy. */
  readonly publicUrl: URL | null
  /** Proxies whose X-Forwarded headers are believed. */
  readonly trustedProxies: BlockList
}

type Env = Readonly<Record<string, string | undefined>>

/** Adds to `faults`. `isOpen`: whether requests need no token. */
export function readProxySettings(env: Env, isOpen: boolean, faults: string[]): ProxySettings {
  // A proxy is the peer of every request that it forwards, so only a token tells people and agents behind it apart.
  for (const name of ['SVC_PUBLIC_URL', 'SVC_TRUSTED_PROXIES'])
    if (isOpen && env[name])
      faults.push(
        `${name}=${env[name]} puts the daemon behind a proxy, which hides its callers: ` +
          `set SVC_TOKENS_FILE first (or SVC_AUTH=on), or unset ${name}`,
      )
  return {
    publicUrl: readPublicUrl(env.SVC_PUBLIC_URL ?? '', faults),
    trustedProxies: readProxies(env.SVC_TRUSTED_PROXIES ?? '', faults),
  }
}

/** Segments that a proxy, a browser and a cookie read alike. */
const PLAIN_PATH = /^(?:\/[\w~-][\w.~-]*)*\/?$/

function readPublicUrl(given: string, faults: string[]): URL | null {
  if (given === '') return null
  const url = URL.canParse(given) ? new URL(given) : null
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && PLAIN_PATH.test(url.pathname)
  if (!isPlain || url.search || url.hash || url.username || url.password) {
    faults.push(`SVC_PUBLIC_URL should be an address such as https://team.example.com/svc, instead got "${given}"`)
    return null
  }
  // As the path of a cookie, which may not end with a slash.
  url.pathname = url.pathname.replace(/\/$/, '')
  return url
}

function readProxies(given: string, faults: string[]): BlockList {
  const trusted = new BlockList()
  for (const each of given.split(',').map((part) => part.trim())) {
    if (each === '') continue
    if (!addProxy(trusted, each))
      faults.push(`SVC_TRUSTED_PROXIES should list addresses or networks such as 10.0.0.0/8, instead got "${each}"`)
  }
  return trusted
}

function addProxy(trusted: BlockList, text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  const width = version === 6 ? 128 : 32
  const prefix = Number(bits ?? width)
  // 0 would be every address.
  if (version === 0 || prefix === 0 || prefix > width) return false
  trusted.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4')
  return true
}

/** `address`: of a socket, as Node reports it. */
export function isTrusted(trusted: BlockList, address: string | undefined): boolean {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  const version = isIP(plain)
  return version !== 0 && trusted.check(plain, version === 6 ? 'ipv6' : 'ipv4')
}
