// Addresses that programs read differently: comparing one reading would let the request go to the host of another.

const NO_ADDRESS = 'url is not an absolute address: write https://HOST/PATH'

/** Returns why patterns cannot judge an address and how to write it, or null. */
export function addressFault(url: unknown): string | null {
  if (typeof url !== 'string') return NO_ADDRESS
  if (/[\u0000-\u001f\u007f-\u009f]/.test(url)) return 'url contains a control character: remove it'
  if (url.includes('\\')) return 'url contains a backslash: write / or %5C'
  if (!URL.canParse(url)) return NO_ADDRESS
  const { hostname, protocol } = new URL(url)
  const authority = /^ *[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/]*)/.exec(url)?.[1] ?? ''
  if (authority === '')
    return hasHost(protocol) ? 'url has no host directly after "://": write https://HOST/PATH' : null
  // Some programs end the host at the last @, others at the first ? or #.
  if (authority.includes('@')) return 'url has an @ before its path: remove the user name, or write %40'
  const [host = ''] = authority.split(/[?#]/)
  const isSame = host.startsWith('[') || bare(host.replace(/:\d*$/, '')) === bare(hostname)
  return isSame ? null : `url writes its host in a form that programs read differently: write ${hostname}`
}

const hasHost = (protocol: string): boolean => /^(https?|ftp|wss?):$/.test(protocol)

const bare = (host: string): string => host.trim().replace(/\.$/, '').toLowerCase()
