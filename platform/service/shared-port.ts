// A service that is mounted below a path on the port of another service, together with all others.
import type { FrontOptions } from '../http/gateway/front.ts'
import type { HttpServer } from '../http/server.ts'
import type { HostOptions, Served } from './define.ts'

interface Servers {
  about: Pick<HostOptions, 'services' | 'config'>
  /** Null for a service in another process. */
  serverOf(service: string): HttpServer | null
  localServer(service: string): HttpServer | null
}

/** Returns null for a service whose port serves no other one. */
export function frontOf({ name }: Served, { about, serverOf, localServer }: Servers): FrontOptions | null {
  const mounted = about.services.find(({ definition }) => definition.operations.mount?.service === name)
  if (!mounted) return null
  return {
    path: mounted.definition.operations.mount!.path,
    prefix: about.config.publicUrl?.pathname.replace(/\/$/, '') ?? '',
    // Whatever its configured address is.
    serverOf: (service) => (service === mounted.name ? localServer(service) : serverOf(service)),
    own: () => localServer(mounted.name)!,
  }
}
