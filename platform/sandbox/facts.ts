// What mounts depend on in the file system, as the current user sees it.
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'

export interface HostFacts {
  exists(path: string): boolean
  /** Returns null if the path does not exist or cannot be reached. */
  realPath(path: string): string | null
  /** Follows links. */
  kind(path: string): 'file' | 'folder' | 'socket' | 'other' | null
  /** Absolute paths of all Unix sockets that accept connections. */
  listeningSockets(): string[]
}

/** Also the content of files, for git. */
export interface FileFacts extends HostFacts {
  /** Returns null if the file cannot be read. */
  text(path: string): string | null
  /** Returns no names if the folder cannot be read. */
  names(folder: string): string[]
}

const orElse = <T>(fallback: T, read: () => T): T => {
  try {
    return read()
  } catch {
    return fallback
  }
}

export const hostFacts: FileFacts = {
  exists: existsSync,
  realPath: (path) => orElse(null, () => realpathSync.native(path)),
  kind: (path) =>
    orElse(null, () => {
      const stat = statSync(path)
      if (stat.isDirectory()) return 'folder'
      if (stat.isSocket()) return 'socket'
      return stat.isFile() ? 'file' : 'other'
    }),
  listeningSockets: () => listeningSockets(orElse('', () => readFileSync('/proc/net/unix', 'utf8'))),
  text: (path) => orElse(null, () => readFileSync(path, 'utf8')),
  names: (folder) => orElse([], () => readdirSync(folder)),
}

/** Num RefCount Protocol Flags Type St Inode Path; flag 0x10000 is `__SO_ACCEPTCON`. */
const LISTENING = /^\S+ \S+ \S+ 0001\d{4} \S+ \S+ +\d+ (\/.*)$/gm

/** `table`: content of /proc/net/unix. Leaves out abstract sockets and those that were bound by a relative path. */
export const listeningSockets = (table: string): string[] => [
  ...new Set([...table.matchAll(LISTENING)].map(([, path]) => path!)),
]
