import { execa } from 'execa'
import type { SystemMetrics } from '../../schemas/monitor/metrics.ts'

export type Disks = SystemMetrics['disks']

const DF = ['df', process.platform === 'darwin' ? '-kP' : '-kPT'] as const
/** df can block forever on an unresponsive network file system. */
const TIMEOUT_MS = 5000
/**
 * Name, type (not on macOS), 1024-blocks, used, available, capacity, mount point. Name and mount point may contain
 * spaces.
 */
const LINE =
  /^(?<name>.+?) +(?:(?<type>\S*[a-zA-Z]\S*) +)?(?<blocks>\d+) +(?<used>\d+) +(?<available>\d+) +(?:\d+%|-) +(?<mount>.+)$/
/** File systems in memory or firmware, and images, which are always full. */
const NO_DISK =
  /^(rootfs|tmpfs|devtmpfs|devfs|ramfs|initrd|initramfs|udev|fdescfs|specfs|efivarfs|squashfs|cramfs|erofs|iso9660|fuse\.snapfuse)$/

/** Returns the previous result if df times out. */
export function diskLook(
  [program, ...args]: readonly [program: string, ...args: string[]] = DF,
  timeout = TIMEOUT_MS,
): () => Promise<Disks> {
  let last: Disks = []
  return async () => {
    // df fails if one file system is not readable, but prints the others.
    const options = { reject: false, stdin: 'ignore', stderr: 'ignore', timeout } as const
    const { stdout, timedOut } = await execa(program, args, { ...options, env: { LC_ALL: 'C' } })
    if (!timedOut) last = disksOf(stdout ?? '')
    return last
  }
}

/**
 * One entry per mount point.
 * @testing
 */
export function disksOf(printed: string): Disks {
  const found = new Map<string, Disks[number]>()
  for (const line of printed.split('\n').slice(1)) {
    const fields = LINE.exec(line)?.groups
    if (!fields || !isDisk(fields)) continue
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
