// Addresses that a name of the list must not lead to: DNS is not in the hands of the person who wrote the list.
import { lookup, type LookupAddress } from 'node:dns'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Loopback, private, link-local, metadata, multicast and reserved ranges. */
const RANGES: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
]

const blocked = new BlockList()
for (const [network, prefix] of RANGES) blocked.addSubnet(network, prefix, isIPv6(network) ? 'ipv6' : 'ipv4')

/** True for addresses of this host and of its networks. */
export function isPrivateAddress(address: string): boolean {
  // A zone is only in link-local addresses.
  if (address.includes('%') || blocked.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return true
  return Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === address))
}

export class PrivateAddressFault extends Error {
  readonly address: string

  constructor(host: string, address: string) {
    super(`${host} resolves to the private address ${address}`)
    this.address = address
  }
}

type Resolve = (host: string, report: (error: Error | null, addresses: LookupAddress[]) => void) => void

const resolveByTheSystem: Resolve = (host, report) => lookup(host, { all: true }, report)

/** A `lookup` of net.connect() that leaves private addresses out, and fails with a PrivateAddressFault without others. */
export function publicLookup(resolve: Resolve = resolveByTheSystem): LookupFunction {
  return (host, options, report) =>
    resolve(host, (error, addresses) => {
      if (error) return report(error, '')
      const open = addresses.filter(({ address }) => !isPrivateAddress(address))
      if (open.length === 0) return report(new PrivateAddressFault(host, addresses[0]?.address ?? 'none'), '')
      if (options.all) return report(null, open)
      report(null, open[0]!.address, open[0]!.family)
    })
}
