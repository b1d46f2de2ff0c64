import { readFile } from 'node:fs/promises'
import { execa } from 'execa'
import type { SystemMetrics } from '../../schemas/monitor/metrics.ts'

export type Disks = SystemMetrics['disks']

const IS_DARWIN = process.platform === 'darwin'
const DF = ['df', IS_DARWIN ? '-kP' : '-kPT'] as const
/** df can block forever on an unresponsive network file system. */
const TIMEOUT_MS = 5000
/**
 * Name, type (not on macOS), 1024-blocks, used, available, capacity, mount point. Name and mount point may contain
 * spaces.
 */
const LINE =
  /^(?<name>.+?) +(?:(?<type>\S*[a-zA-Z]\S*) +)?(?<blocks>\d+) +(?<used>\d+) +(?<available>\d+) +(?:\d+%|-) +(?<mount>.+)$/
/** Device, mount point with octal escapes, type, and options. */
const LINUX_MOUNT = /^\S+ (?<mount>\S+) \S+ (?<options>\S+)/
const DARWIN_MOUNT = /^.+? on (?<mount>\/.*) \((?<options>[^()]*)\)$/
/** File systems in memory or firmware, and images, which are always full. */
const NO_DISK =
  /^(rootfs|tmpfs|devtmpfs|devfs|ramfs|initrd|initramfs|udev|fdescfs|specfs|efivarfs|squashfs|cramfs|erofs|iso9660|fuse\.snapfuse)$/

type Command = readonly [program: string, ...args: string[]]

/** Returns the previous result if df times out. */
export function diskLook(
  [program, ...args]: Command = DF,
  timeout = TIMEOUT_MS,
  mounts = printMounts,
): () => Promise<Disks> {
  let last: Disks = []
  return async () => {
    // df fails if one file system is not readable, but prints the others.
    const { stdout, timedOut } = await execa(program, args, { ...quiet, timeout })
    if (!timedOut) last = disksOf(stdout ?? '', await mounts())
    return last
  }
}

const quiet = { reject: false, stdin: 'ignore', stderr: 'ignore', env: { LC_ALL: 'C' } } as const

/** Returns '' if mounts cannot be listed. */
async function printMounts(): Promise<string> {
  if (!IS_DARWIN) return readFile('/proc/self/mounts', 'utf8').catch(() => '')
  return (await execa('mount', [], { ...quiet, timeout: TIMEOUT_MS })).stdout ?? ''
}

/** A later mount covers an earlier one at the same point. */
function readOnlyIn(mounts: string): Set<string> {
  const found = new Set<string>()
  for (const line of mounts.split('\n')) {
    const { mount = '', options = '' } = (DARWIN_MOUNT.exec(line) ?? LINUX_MOUNT.exec(line))?.groups ?? {}
    const path = mount.replace(/\\([0-7]{3})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
    if (/(^|, ?)(ro|read-only)(,|$)/.test(options)) found.add(path)
    else found.delete(path)
  }
  return found
}

/**
 * One entry per mount point that can be written to.
 * @testing
 */
export function disksOf(printed: string, mounts = ''): Disks {
  const readOnly = readOnlyIn(mounts)
  const found = new Map<string, Disks[number]>()
  for (const line of printed.split('\n').slice(1)) {
    const fields = LINE.exec(line)?.groups
    if (!fields || !isDisk(fields) || readOnly.has(fields.mount!)) continue
    const { used, available } = { used: Number(fields.used) * 1024, available: Number(fields.available) * 1024 }
    found.set(fields.mount!, {
      name: fields.name!,
      mount_point: fields.mount!,
      total_bytes: Number(fields.blocks) * 1024,
      available_bytes: available,
      used_bytes: used,
      // Like df, excludes space reserved for root.
      usage_percent: used + available === 0 ? 0 : Math.round((used / (used + available)) * 10_000) / 100,
    })
  }
  return [...found.values()]
}

/** By type, or by name on macOS. The root mount always counts. */
function isDisk({ name, type, mount, blocks }: Record<string, string | undefined>): boolean {
  return blocks !== '0' && (mount === '/' || !NO_DISK.test(type ?? name!))
}
