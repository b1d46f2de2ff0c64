import { conflict, type Problem } from '../core/problem.ts'

export interface Holder {
  pid: number
  host: string
  since: string
  version: string
  data_dir: string
  services: string[]
  /** Empty until all ports are bound. */
  urls: Record<string, string>
  stopping: boolean
}

/** Returns null for an invalid text. */
export function readHolder(text: string | null | undefined): Holder | null {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<Holder> | null
    if (typeof value?.pid !== 'number') return null
    const unknown = { host: 'this machine', since: 'an unknown time', version: '?', data_dir: '?' }
    return { ...unknown, services: [], urls: {}, stopping: false, ...value, pid: value.pid }
  } catch {
    return null // partial file, or not ours
  }
}

/** Returns the 409 for a second daemon. `next`: the next step. */
export function heldBy(what: string, holder: Holder | null, next = OTHER_FOLDER): Problem {
  return conflict(
    `${what} is in use by another daemon: ${holder ? describe(holder) : 'an unknown process'}; ${next}`,
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
