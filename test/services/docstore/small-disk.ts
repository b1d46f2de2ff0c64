// A small separate file system to fill up; null if this process cannot mount one.
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { counted } from '../../support/counts.ts'

const PAGE = 4096
const PAGES = 256
const INODES = 128

export interface SmallDisk {
  path: string
  /** Leaves this many pages free. */
  fill(pages: number): void
  /** Leaves room for this many files. */
  crowd(files: number): void
  empty(): void
  /** Makes the path read-only, as after a disk error; open files stay open. */
  close(): void
  reopen(): void
  /** Unmounts the file system, keeping its content and the mount point. */
  unmount(): void
  remount(): void
  remove(): void
}

const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0

/** Returns null and adds a count if this process cannot mount. */
export function smallDisk(): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'svc-disk-'))
  const [path, kept] = [join(folder, 'disk'), join(folder, 'kept')]
  for (const each of [path, kept]) mkdirSync(each)
  if (!mount('-t', 'tmpfs', '-o', `size=${PAGES * PAGE},nr_inodes=${INODES}`, 'tmpfs', kept)) {
    counted('documents: small disks that could not be mounted here', 1)
    rmSync(folder, { recursive: true })
    return null
  }
  const remount = () => void mount('--bind', kept, path)
  const unmount = () => void spawnSync('umount', ['-l', path])
  const empty = () => rmSync(join(kept, 'filler'), { recursive: true, force: true })
  remount()
  return {
    path,
    fill: (pages) => {
      const file = openSync(join(kept, 'filler'), 'w')
      const free = statfsSync(kept).bfree
      if (free > pages) writeSync(file, Buffer.alloc((free - pages) * PAGE))
      else ftruncateSync(file, 0)
      closeSync(file)
    },
    crowd: (files) => {
      mkdirSync(join(kept, 'filler'))
      for (let at = statfsSync(kept).ffree; at > files; at--) writeFileSync(join(kept, 'filler', `${at}`), '')
    },
    empty,
    close: () => {
      remount()
      mount('-o', 'remount,bind,ro', path)
    },
    reopen: unmount,
    unmount,
    remount,
    remove: () => {
      for (const each of [path, path, kept]) spawnSync('umount', ['-l', each])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
