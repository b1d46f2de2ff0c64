// Entries of `network.hosts`: `name`, `*.name` or `name:port`.

const PORTS_OF_THE_WEB = [80, 443]
const GREATEST_PORT = 65_535
const LONGEST_NAME = 253
const LABEL = /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?$/
/** `inet_aton` reads names of which the last label is a number as addresses. */
const NUMBER = /^(\d+|0x[\da-f]*)$/

/** Lower case, without the dot of the root. */
const normalize = (host: string): string => host.toLowerCase().replace(/\.$/, '')

interface Parts {
  isWildcard: boolean
  name: string
  port: string | null
}

function partsOf(written: string): Parts {
  const [, wildcard, name = '', , port = null] = /^(\*\.)?(.*?)(:([^:]*))?$/s.exec(normalize(written)) ?? []
  return { isWildcard: wildcard !== undefined, name: normalize(name), port }
}

/** Returns what is wrong with an entry of the list; null if it is valid. */
export function hostFault(written: string): string | null {
  if (written.includes('://')) return 'a scheme is not part of a host name'
  if (/[/?#@]/.test(written)) return 'a host has no path and no user'
  if (written === '*' || written.startsWith('*:')) return 'all hosts is network: all'
  if (/^\[|:.*:/.test(written)) return 'an address is not a host name'
  const { name, port } = partsOf(written)
  const labels = name.split('.')
  if (NUMBER.test(labels.at(-1)!)) return 'an address is not a host name'
  if (port !== null && !(/^[1-9]\d*$/.test(port) && Number(port) <= GREATEST_PORT))
    return `the port must be a number from 1 to ${GREATEST_PORT}, got ${JSON.stringify(port)}`
  if (name.length > LONGEST_NAME || !labels.every((label) => LABEL.test(label)))
    return 'a host name has letters, digits (others in the xn-- form), hyphens and dots, and * only as the first label'
  return null
}

/**
 * `hosts`: valid entries. An entry without a port allows 80 and 443; `*.name` allows subdomains at any depth, and not
 * `name`.
 */
export function isAllowedHost(hosts: readonly string[], host: string, port: number): boolean {
  const asked = normalize(host)
  if (hostFault(asked) !== null || asked.startsWith('*')) return false
  return hosts.some((written) => {
    const entry = partsOf(written)
    const isNamed = entry.isWildcard ? asked.endsWith(`.${entry.name}`) : asked === entry.name
    return isNamed && (entry.port === null ? PORTS_OF_THE_WEB.includes(port) : entry.port === String(port))
  })
}
