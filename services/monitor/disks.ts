// The disks of the machine, as df has them.
import { execa } from 'execa'
import type { SystemMetrics } from '../../schemas/monitor/metrics.ts'

export type Disks = SystemMetrics['disks']

const DF = ['df', process.platform === 'darwin' ? '-kP' : '-kPT'] as const
/** A file system of another machine that does not answer would be waited for without an end. */
const TIMEOUT_MS = 5000
/** Name, type (not on macOS), 1024-blocks, used, available, capacity, mount point; the first and the last may hold spaces. */
const LINE =
  /^(?<name>.+?) +(?:(?<type>\S*[a-zA-Z]\S*) +)?(?<blocks>\d+) +(?<used>\d+) +(?<available>\d+) +(?:\d+%|-) +(?<mount>.+)$/
/** What lies in memory, is kept by the firmware, or is an image that is always full. */
const NO_DISK =
  /^(rootfs|tmpfs|devtmpfs|devfs|ramfs|initrd|initramfs|udev|fdescfs|specfs|efivarfs|squashfs|cramfs|erofs|iso9660|fuse\.snapfuse)$/

/** Looks without blocking; tells what it saw last where df does not end in time. */
export function diskLook(
  [program, ...args]: readonly [program: string, ...args: string[]] = DF,
  timeout = TIMEOUT_MS,
): () => Promise<Disks> {
  let last: Disks = []
  return async () => {
    // It fails for one that it may not look at, and tells of the others all the same.
    const options = { reject: false, stdin: 'ignore', stderr: 'ignore', timeout } as const
    const { stdout, timedOut } = await execa(program, args, { ...options, env: { LC_ALL: 'C' } })
    if (!timedOut) last = disksOf(stdout ?? '')
    return last
  }
}

/**
 * What df printed; one that is mounted often is told of once for each place.
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
      // As df does: what root keeps for itself counts for neither.
      usage_percent: used + available === 0 ? 0 : Math.round((used / (used + available)) * 10_000) / 100,
    })
  }
  return [...found.values()]
}

/** By its type, or by its name where there are no types; what is mounted at the root is one in any case. */
function isDisk({ name, type, mount, blocks }: Record<string, string | undefined>): boolean {
  return blocks !== '0' && (mount === '/' || !NO_DISK.test(type ?? name!))
}
