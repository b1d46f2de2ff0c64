import { localUrl, portOwner, type Placed } from '../../schemas/operations/operation.ts'
import { isLoopback, type Config } from '../core/config.ts'

const DOCUMENTED: Readonly<Record<string, string>> = {
  notify: 'NOTIFY_SERVICE_URL',
  index: 'SVC_INDEX_SERVICE_URL',
}

/** Variables with the address of a service elsewhere; the first one that is set wins. */
export const addressVariables = (service: string): string[] => [
  `SVC_${service.toUpperCase()}_URL`,
  ...(DOCUMENTED[service] === undefined ? [] : [DOCUMENTED[service]]),
]

function configuredAddress({ env }: Pick<Config, 'env'>, service: string): string | undefined {
  return addressVariables(service)
    .map((name) => env[name])
    .find(Boolean)
}

/** `bound`: the address of the service in this process, if it has one. */
export const addressOf = (config: Config, group: Placed, bound?: string): string =>
  configuredAddress(config, group.service) ?? bound ?? localUrl(group, config.port(portOwner(group)))

/** True if the configured address is not the one in this process. */
export function isElsewhere(config: Pick<Config, 'env'>, service: string, bound?: string): boolean {
  const address = configuredAddress(config, service)
  return address !== undefined && (bound === undefined || placeOf(address) !== placeOf(bound))
}

/** Alike for all names of this machine. */
function placeOf(address: string): string {
  if (!URL.canParse(address)) return address
  const { protocol, hostname, port, pathname } = new URL(address)
  const host = isLoopback(hostname.replace(/^\[|\]$/g, '')) ? 'localhost' : hostname
  return `${protocol}//${host}:${port}${pathname.replace(/\/+$/, '')}`
}
