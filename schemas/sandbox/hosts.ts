// Entries of `network.hosts`: `name`, `*.name` or `name:port`.

const LABEL = /^(?!-)[a-z\d_-]{1,63}(?<!-)$/i
/** Ports of an entry without one. */
const WEB_PORTS = [80, 443]
const LONGEST = 253

/** Why it is no entry, to follow its text; null if it is one. */
export function hostFault(written: string): string | null {
  if (written.includes('://')) return 'has a scheme: write the host alone'
  if (/[/?#@]/.test(written)) return 'is not a host alone: remove the path and the user'
  if (/^\[|:.*:/.test(written)) return 'is an address: write a name'
  const { name, port } = partsOf(written)
  if (port !== null && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    return 'has no valid port: write 1 to 65535'
  if (name === '*') return 'would be every host: write network: all'
  const labels = (name.startsWith('*.') ? name.slice(2) : name).split('.')
  // Other programs read `0x7f.1` and `2130706433` as addresses.
  if (/^(\d+|0x[\da-f]*)$/i.test(labels.at(-1)!)) return 'is an address: write a name'
  if (/[^\x20-\x7e]/.test(name)) return 'is not ASCII: write the xn-- form'
  if (name.length > LONGEST || !labels.every((label) => LABEL.test(label))) return 'is not a host name'
  return null
}

/** True if an entry names the host. `*.name` includes subdomains at any depth, and not `name`. */
export function namesHost(hosts: readonly string[], host: string, port: number): boolean {
  return hosts.some((written) => {
    const { name, port: only } = partsOf(written.toLowerCase())
    if (only === null ? !WEB_PORTS.includes(port) : Number(only) !== port) return false
    return name.startsWith('*.') ? host.toLowerCase().endsWith(name.slice(1)) : host.toLowerCase() === name
  })
}

function partsOf(written: string): { name: string; port: string | null } {
  const at = written.indexOf(':')
  return at < 0 ? { name: written, port: null } : { name: written.slice(0, at), port: written.slice(at + 1) }
}
