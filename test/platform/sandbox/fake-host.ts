import { dirname, join, resolve } from 'node:path'
import type { HostFacts } from '../../../platform/sandbox/facts.ts'

type Kind = 'file' | 'folder' | 'socket'

/** By path: its kind, or `-> TARGET` for a link. Parents of a path are folders. */
export type Tree = Record<string, Kind | `-> ${string}`>

export function fakeHost(tree: Tree, sockets: string[] = []): HostFacts {
  const entries = new Map(Object.entries(tree))
  for (const path of Object.keys(tree))
    for (let folder = dirname(path); !entries.has(folder); folder = dirname(folder)) entries.set(folder, 'folder')

  function realPath(path: string): string | null {
    if (path === '/') return path
    const folder = realPath(dirname(path))
    if (folder === null) return null
    const real = join(folder, path.slice(dirname(path).length))
    const entry = entries.get(real)
    if (entry === undefined) return null
    return entry.startsWith('-> ') ? realPath(resolve(folder, entry.slice(3))) : real
  }

  return {
    realPath,
    exists: (path) => realPath(path) !== null,
    kind: (path) => (entries.get(realPath(path) ?? '') as Kind | undefined) ?? null,
    listeningSockets: () => sockets,
  }
}

/** A Debian system with one user. */
export const SYSTEM: Tree = {
  '/bin': '-> usr/bin',
  '/lib': '-> usr/lib',
  '/lib64': '-> usr/lib64',
  '/sbin': '-> usr/sbin',
  '/usr/bin/node': 'file',
  '/usr/lib64/ld.so': 'file',
  '/usr/sbin/ip': 'file',
  '/usr/lib/libc.so': 'file',
  '/usr/share/zoneinfo/UTC': 'file',
  '/etc/hosts': 'file',
  '/etc/passwd': 'file',
  '/etc/shadow': 'file',
  '/etc/localtime': '-> /usr/share/zoneinfo/UTC',
  '/etc/resolv.conf': '-> ../run/systemd/resolve/stub-resolv.conf',
  '/run/systemd/resolve/stub-resolv.conf': 'file',
  '/run/nscd/socket': 'socket',
  '/run/docker.sock': 'socket',
  '/tmp/tmux-1000/default': 'socket',
  '/tmp/ssh-x/agent.1': 'socket',
  '/var/tmp': 'folder',
  '/proc/1/environ': 'file',
  '/dev/shm': 'folder',
  '/srv/customers/list': 'file',
  '/srv/cache': 'folder',
  '/home/u/.ssh/id': 'file',
  '/home/u/.netrc': 'file',
  '/home/u/.gnupg/S.gpg-agent': 'socket',
  '/home/u/.local/share/svc/key': 'file',
  '/home/u/.local/share/svc/worktrees/one/.git': 'file',
  '/home/u/.local/share/svc/worktrees/two/.git': 'file',
  '/home/u/.local/share/svc/checkouts/default/.git/objects': 'folder',
  '/home/u/.local/share/svc/checkouts/default/.git/refs': 'folder',
  '/home/u/.local/share/svc/checkouts/default/.git/worktrees/one/commondir': 'file',
  '/home/u/project/.git/hooks': 'folder',
  '/home/u/project/.git/config': 'file',
  '/home/u/project/.git/modules/a/b/config': 'file',
  '/home/u/project/manifests/agents/a.yml': 'file',
  '/home/u/project/src/secret/word': 'file',
  '/home/u/project/src/main.ts': 'file',
  '/home/u/project/node_modules/svc/dist/agent.js': 'file',
  '/home/u/project/run/database.sock': 'socket',
  '/home/u/project/linked': '-> /srv/cache',
  '/home/u/notes': '-> project',
  '/home/u/other': 'folder',
}

export const HOME = '/home/u'
export const PROJECT = `${HOME}/project`
export const DATA = `${HOME}/.local/share/svc`
export const SOCKETS = ['/run/docker.sock', '/home/u/project/run/database.sock', '/tmp/tmux-1000/default', '/gone.sock']
export const CLOSED = [DATA, '/etc/shadow', '/proc', `${HOME}/.ssh`, `${HOME}/.netrc`, `${HOME}/.gnupg`, `${HOME}/.aws`]
