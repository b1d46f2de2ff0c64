// Errors of a sandbox beyond its schema.
import { isAbsolute } from 'node:path'
import { oneFault, resolvePath, type Fault, type ManifestContext, type Path } from '../kind.ts'
import type { PolicySandbox, Sandbox, SandboxSpec } from './sandbox.ts'
import { hostFault } from './hosts.ts'
import { isOfHome } from './inheritance.ts'

type Rules = Exclude<Sandbox, string>

/** Sockets of the agent's OS user that are found at its start. */
const NAMED_SOCKETS = ['ssh-agent', 'gpg-agent']

/** Their daemons do for every caller what the sandbox denies. */
const CONTROL_SOCKET =
  /(^|\/)(docker|containerd|podman|crio|cri-dockerd|buildkit|lxd|incus|libvirt|snapd|tmux|dbus|systemd|bus)([\d._-][^/]*)?(\/|$)/

/** Elements with their path. An invalid element is already removed. */
function entriesOf(rules: Rules, list: 'write' | 'read' | 'hide' | 'sockets', at: Path): [string, Path][] {
  const written: unknown = rules[list]
  return Array.isArray(written) ? numbered(written, [...at, list]) : []
}

function numbered(list: readonly (string | undefined)[], at: Path): [string, Path][] {
  return list.flatMap((each, index) => (each === undefined ? [] : [[each, [...at, index]] as [string, Path]]))
}

/** Errors that need no file system. */
export function sandboxFaults(written: Sandbox | null | undefined, at: Path): Fault[] {
  if (typeof written !== 'object' || written === null) return []
  const { network } = written
  const hosts = typeof network === 'object' ? numbered(network.hosts ?? [], [...at, 'network', 'hosts']) : []
  return [
    ...entriesOf(written, 'sockets', at).flatMap(([socket, path]) => socketFaults(socket, path)),
    ...hosts.flatMap(([host, path]) => {
      const why = hostFault(host)
      if (why === null) return []
      return oneFault(
        path,
        'sandbox-host-invalid',
        `"${host}" is not a host: ${why}`,
        'write a name, *.name or name:port, such as api.example.com, *.example.com or db.example.com:5432',
      )
    }),
  ]
}

/** Also requires paths that mean the same to daemon and caller. */
export function sandboxInputFaults(written: Sandbox | null | undefined, at: Path): Fault[] {
  if (typeof written !== 'object' || written === null) return []
  const lists = (['write', 'read', 'hide'] as const).flatMap((list) => entriesOf(written, list, at))
  return [
    ...lists.flatMap(([path, place]) =>
      isAbsolute(path) || isOfHome(path)
        ? []
        : oneFault(
            place,
            'invalid-value',
            `should be an absolute path or start with ~/, instead got "${path}"`,
            'relative paths are not resolved in requests',
          ),
    ),
    ...sandboxFaults(written, at),
  ]
}

function socketFaults(socket: string, path: Path): Fault[] {
  if (CONTROL_SOCKET.test(socket))
    return oneFault(
      path,
      'sandbox-path-closed',
      `socket "${socket}" is closed: through it the program would leave the sandbox`,
      'remove it; nothing opens it',
    )
  if (NAMED_SOCKETS.includes(socket) || isAbsolute(socket)) return []
  return oneFault(
    path,
    'invalid-value',
    `"${socket}" is not a socket`,
    `write ${NAMED_SOCKETS.join(', ')} or an absolute path`,
  )
}

/** Errors of a manifest's sandbox. `homeIsKnown`: `~` is the home of the daemon's user. */
export function sandboxManifestFaults(
  written: Sandbox | undefined,
  context: ManifestContext,
  { homeIsKnown }: { homeIsKnown: boolean },
): Fault[] {
  if (typeof written !== 'object') return []
  const at = ['sandbox']
  const open = (list: 'write' | 'read' | 'sockets') =>
    entriesOf(written, list, at).filter(([each]) => list !== 'sockets' || isAbsolute(each))
  return [
    ...sandboxFaults(written, at),
    ...(['write', 'read', 'sockets'] as const).flatMap((list) =>
      open(list).flatMap(([each, path]) =>
        pathFaults(each, path, { context, mayBeMissing: list === 'sockets' || (isOfHome(each) && !homeIsKnown) }),
      ),
    ),
    ...open('write').flatMap(([each, path]) => wideFaults(each, path, context)),
    ...nestedWarning(written, at),
  ]
}

function pathFaults(
  written: string,
  path: Path,
  { context, mayBeMissing }: { context: ManifestContext; mayBeMissing: boolean },
): Fault[] {
  const absolute = resolvePath(written, context)
  const fault = context.pathFault(absolute)
  if (fault === null || (fault === 'missing' && mayBeMissing)) return []
  const shown = `"${written}"${absolute === written ? '' : ` (${absolute})`}`
  if (fault === 'missing')
    return oneFault(path, 'sandbox-path-missing', `${shown} does not exist`, 'create it, or remove it from the list')
  return oneFault(
    path,
    'sandbox-path-closed',
    `${shown} ${absolute === fault.closed ? 'is' : 'is in'} ${fault.closed}, which is closed`,
    'remove it: nothing opens it; copy what is needed to another place',
  )
}

function nestedWarning({ nested }: Rules, at: Path): Fault[] {
  if (nested !== true) return []
  return [
    {
      path: [...at, 'nested'],
      code: 'sandbox-nested',
      message:
        'nested: true lets the program make user namespaces, which have had faults of the kernel; root cannot start it',
      hint: 'remove it unless a program inside has a sandbox of its own, such as Codex or Chromium; if the daemon runs as root, write user:',
      severity: 'warning',
    },
  ]
}

/** Folders whose content a sandbox protects. */
const OF_THE_SYSTEM = '/ /bin /boot /dev /etc /home /lib /lib64 /opt /proc /root /run /sbin /sys /usr /var'.split(' ')

/** Error for a folder that holds the home or the system. */
export function wideFaults(written: string, path: Path, context: ManifestContext): Fault[] {
  const absolute = resolvePath(written, context)
  const home = resolvePath('~', context)
  const holdsHome = absolute === home || home.startsWith(`${absolute}/`)
  if (!holdsHome && !OF_THE_SYSTEM.includes(absolute)) return []
  return oneFault(
    path,
    'sandbox-too-wide',
    `"${written}" is ${holdsHome && absolute !== '/' ? 'or holds the home directory' : 'a folder of the system'}, which a sandbox does not open for writing`,
    'name a folder of the project, or write sandbox: off',
  )
}

export type AnySandbox = Sandbox | SandboxSpec | PolicySandbox | undefined

/** True if it must be kept: `auto` may run without. */
export const isWritten = (sandbox: AnySandbox): boolean =>
  sandbox === 'on' || (typeof sandbox === 'object' && sandbox !== null)

/** Hosts that the program may reach; null for all. */
export function reachableHosts(sandbox: AnySandbox): string[] | null {
  if (typeof sandbox !== 'object' || sandbox === null) return null
  const network: string | { mode?: string; hosts?: (string | undefined)[] } = sandbox.network ?? 'all'
  const mode = typeof network === 'string' ? network : (network.mode ?? 'hosts')
  if (mode === 'all') return null
  return typeof network === 'string' ? [] : (network.hosts ?? []).filter((host) => host !== undefined)
}
