// Who holds the state of a daemon: said to whoever comes second, so that it can be found, used or stopped.
import { conflict, type Problem } from '../core/problem.ts'

export interface Holder {
  pid: number
  host: string
  /** When it took hold. */
  since: string
  version: string
  data_dir: string
  services: string[]
  /** Service to base address, once every port is bound. */
  urls: Record<string, string>
  /** On its way out: what it holds is free in some seconds. */
  stopping: boolean
}

/** The holder that a text tells of; null for a text that tells of none. */
export function readHolder(text: string | null | undefined): Holder | null {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<Holder> | null
    if (typeof value?.pid !== 'number') return null
    const unknown = { host: 'this machine', since: 'an unknown time', version: '?', data_dir: '?' }
    return { ...unknown, services: [], urls: {}, stopping: false, ...value, pid: value.pid }
  } catch {
    return null // half a file, or not ours
  }
}

/** The 409 of who comes second. `what` is held: a folder, a file, a service of a database. `next`: what may be done. */
export function heldBy(what: string, holder: Holder | null, next = OTHER_FOLDER): Problem {
  return conflict(
    `${what} is in use by another daemon: ${holder ? describe(holder) : 'it does not say which'}; ${next}`,
    CODE,
  )
}

const CODE = 'daemon-running'
const OTHER_FOLDER = 'use it, stop it with "svc down", or set SVC_DATA_DIR to another folder'

function describe({ pid, host, since, data_dir, urls, stopping }: Holder): string {
  const addresses = Object.values(urls)
  const at = addresses.length > 0 ? ` at ${addresses.join(', ')}` : ', which is not yet up'
  return `process ${pid} on ${host}${stopping ? ', which is stopping' : at}, since ${since}, with data in ${data_dir}`
}
