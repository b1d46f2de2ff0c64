// Folders of the system: which exist inside a sandbox, and which are replaced there.
import { dirname, relative } from 'node:path'
import { isWithin } from '../files/within.ts'
import type { HostFacts } from './facts.ts'

export interface SystemPlan {
  /** In /run, which is empty but for them: for names of hosts and users. */
  run: string[]
  /** Folders that are the private temporary folder inside. */
  temporary: string[]
  /** With `read: [..]`: links of the root folder. */
  links: { path: string; target: string }[]
}

const TEMPORARY = ['/tmp', '/var/tmp']
const REPLACED = [...TEMPORARY, '/run', '/dev', '/proc']

/** `path`: without links. */
export const isReplaced = (path: string): boolean => REPLACED.some((folder) => isWithin(path, folder))

const OF_THE_ROOT = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** What programs need to find libraries, users, hosts, certificates and the time zone. */
const OF_ETC = `
  alternatives ca-certificates ca-certificates.conf crypto-policies gai.conf gitconfig group host.conf hostname hosts
  ld.so.cache ld.so.conf ld.so.conf.d locale.alias locale.conf localtime login.defs mime.types nsswitch.conf os-release
  passwd pki protocols resolv.conf services shells ssl timezone`
  .trim()
  .split(/\s+/)
  .map((name) => `/etc/${name}`)

/** `readable`: paths of the system that must be readable; none if all are. */
export function systemPlan(readAll: boolean, facts: HostFacts): SystemPlan & { readable: string[] } {
  const isLink = (path: string) => ![null, path].includes(facts.realPath(path))
  const run = ['/etc/resolv.conf', '/run/nscd']
    .map((path) => facts.realPath(path))
    .filter((path) => path !== null && isWithin(path, '/run'))
  const temporary = TEMPORARY.filter((path) => !isLink(path) && (!readAll || facts.exists(path)))
  if (readAll) return { run: run as string[], temporary, links: [], readable: [] }
  const linked = [...OF_THE_ROOT, ...OF_ETC].filter(isLink)
  return {
    run: run as string[],
    temporary,
    links: linked.map((path) => ({ path, target: relative(dirname(path), facts.realPath(path)!) })),
    // Also the targets of links.
    readable: ['/usr', ...OF_THE_ROOT, ...OF_ETC],
  }
}
