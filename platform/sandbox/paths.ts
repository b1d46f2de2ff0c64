// Paths of a sandbox without links, and the faults of those that it cannot open.
import { dirname, join, sep } from 'node:path'
import type { LaunchSandbox } from '../../schemas/sandbox/sandbox.ts'
import { isForAgents, isWithin } from '../files/within.ts'
import { SandboxFault } from './fault.ts'
import type { HostFacts } from './facts.ts'
import { controlledBy } from './sockets.ts'

/** Each holds files of the system that a program could replace. */
const WIDE = ['/', '/boot', '/dev', '/etc', '/proc', '/run', '/sys', '/tmp', '/usr', '/var', '/var/tmp']
/** Of the kernel or of running services. */
const NEVER_WRITABLE = ['/proc', '/sys', '/dev', '/run', '/boot']
const NEVER_READABLE = ['/proc', '/dev']
/** Ordinary files, though below /dev. */
const SHARED_MEMORY = '/dev/shm'

type Member = 'write' | 'read' | 'sockets'

export class PathResolver {
  readonly #sandbox: LaunchSandbox
  readonly #facts: HostFacts
  readonly #home: string
  readonly #known = new Map<string, string | null>()

  constructor(sandbox: LaunchSandbox, facts: HostFacts, home: string) {
    this.#sandbox = sandbox
    this.#facts = facts
    this.#home = home
  }

  /** Those that exist. */
  present(paths: readonly string[]): string[] {
    return paths.map((path) => this.#real(path)).filter((path) => path !== null)
  }

  /** Throws a SandboxFault unless all of them can be writable. */
  writable(): string[] {
    const { write, read, hide, readonly, closed } = this.#sandbox
    const paths = write.map((path) => {
      const real = this.#needed('write', path)
      this.#refuseWide(path, real)
      this.#refuseClosed('write', path, { real, never: NEVER_WRITABLE })
      return real
    })
    for (const path of [...write, ...(read === 'all' ? [] : read), ...hide, ...readonly, ...closed])
      this.#refuseLink(path, paths)
    return paths
  }

  readable(read: readonly string[]): string[] {
    return read.map((path) => {
      const real = this.#needed('read', path)
      this.#refuseClosed('read', path, { real, never: NEVER_READABLE })
      return real
    })
  }

  sockets(): string[] {
    return this.#sandbox.sockets.map((path) => {
      const real = this.#needed('sockets', path)
      const service = this.#facts.kind(real) === 'socket' ? controlledBy(real) : 'a file that is no socket'
      if (service === null) return real
      throw new SandboxFault(
        'sandbox-path-closed',
        `sandbox.sockets: ${path} cannot be opened: it is ${service}`,
        'open only sockets of services that act for the program alone, such as ssh-agent or gpg-agent',
      )
    })
  }

  /** Sockets of services of the host, without those that the sandbox opens. */
  listening(): string[] {
    const open = this.present(this.#sandbox.sockets)
    return this.present(this.#facts.listeningSockets()).filter(
      (path) => !open.includes(path) && this.#facts.kind(path) === 'socket',
    )
  }

  #real(path: string): string | null {
    let real = this.#known.get(path)
    if (real === undefined) this.#known.set(path, (real = this.#facts.realPath(this.#absolute(path))))
    return real
  }

  #absolute(path: string): string {
    return path === '~' || path.startsWith(`~${sep}`) ? join(this.#home, path.slice(1)) : path
  }

  #needed(member: Member, path: string): string {
    const real = this.#real(path)
    if (real !== null) return real
    throw new SandboxFault(
      'sandbox-path-missing',
      `sandbox.${member}: ${path} does not exist, or cannot be reached by the user of the agent`,
      `create it, or take it out of sandbox.${member}`,
    )
  }

  #refuseWide(path: string, real: string): void {
    const home = this.#real('~') ?? this.#home
    const holds = isWithin(home, real) ? 'the home directory' : WIDE.includes(real) ? 'files of the system' : null
    if (holds === null) return
    throw new SandboxFault(
      'sandbox-too-wide',
      `${path} cannot be writable in a sandbox: it holds ${holds}`,
      'choose a folder of the project, or write sandbox: off',
    )
  }

  #refuseClosed(member: Member, path: string, { real, never }: { real: string; never: readonly string[] }): void {
    const closed =
      isWithin(real, SHARED_MEMORY) && real !== SHARED_MEMORY
        ? undefined
        : never.find((folder) => isWithin(real, folder))
    const found = closed ?? this.#closing(this.#absolute(path), real)
    const isSocket = this.#facts.kind(real) === 'socket'
    if (found === undefined && !isSocket) return
    throw new SandboxFault(
      'sandbox-path-closed',
      found === undefined
        ? `sandbox.${member}: ${path} is a socket`
        : `sandbox.${member}: ${path} ${real === found ? 'is' : 'is in'} ${found}, which is closed`,
      found === undefined ? 'name it in sandbox.sockets' : 'copy what is needed to another folder, and name that one',
    )
  }

  /** The closed path that contains `real`, unless it is a data directory and `real` a folder of agents. */
  #closing(written: string, real: string): string | undefined {
    const { closed } = this.#sandbox
    return this.present(closed).find((folder) => {
      if (!isWithin(real, folder)) return false
      // A path that leads into the data directory from outside may be a link that the program made.
      const names = closed.filter((each) => this.#real(each) === folder).map((each) => this.#absolute(each))
      const isNamed = names.some((name) => isWithin(written, name) && isForAgents(written, name))
      return !(isNamed && isForAgents(real, folder))
    })
  }

  /** A link in a writable folder could name another file at the next start. */
  #refuseLink(path: string, write: readonly string[]): void {
    const absolute = this.#absolute(path)
    if (this.#facts.realPath(absolute) === absolute) return
    for (let link = absolute; link !== dirname(link); link = dirname(link)) {
      const folder = this.#facts.realPath(dirname(link))
      if (folder === null) continue
      const place = join(folder, link.slice(dirname(link).length))
      const target = this.#facts.realPath(place)
      const root = write.find((each) => isWithin(folder, each))
      if (target === null || target === place || root === undefined) continue
      throw new SandboxFault(
        'sandbox-path-linked',
        `${path} cannot be protected: ${place} is a link in ${root}, where the program could replace it`,
        `replace the link by its target ${target}, or name the target instead`,
      )
    }
  }
}
