import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemCollector } from '../../../services/monitor/collector.ts'
import { Cores, firstUsage } from '../../../services/monitor/cores.ts'
import { diskLook, disksOf } from '../../../services/monitor/disks.ts'

const LINUX = `Filesystem     Type     1024-blocks     Used Available Capacity Mounted on
devtmpfs       devtmpfs    12334492        0  12334492       0% /dev
tmpfs          tmpfs       24684092      100  24683992       1% /dev/shm
/dev/vda       ext4             1000      300       600      34% /
overlay        overlay          1000      500       500      50% /merged
nas:/home      nfs4             2000      500      1500      25% /home/of us
tank/data      zfs              4000     1000      3000      25% /tank/data
/dev/loop0     squashfs         1000     1000         0     100% /snap/core
/dev/sr0       iso9660          1000     1000         0     100% /media/disc
efivarfs       efivarfs          128       60        63      49% /sys/firmware/efi/efivars
C:\\            9p               1000      100       900      10% /mnt/c
nothing        ext4                0        0         0       -  /empty
none           tmpfs             100        0       100       0% /run/user
`
const MACOS = `Filesystem       1024-blocks      Used Available Capacity  Mounted on
/dev/disk3s1s1     482797652  14738272 124110016    11%    /
devfs                    206       206         0   100%    /dev
map auto_home              0         0         0   100%    /System/Volumes/Data/home
`
const LINUX_MOUNTS = `sysfs /sys sysfs rw,relatime 0 0
/dev/sdc /merged ext4 ro,relatime 0 0
/dev/vda / ext4 ro,relatime 0 0
overlay /merged overlay rw,relatime,lowerdir=/ro,upperdir=/rw 0 0
nas:/home /home/of\\040us nfs4 ro,vers=4.2 0 0
tank/data /tank/data zfs rw,xattr,noacl 0 0
`
const MACOS_MOUNTS = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse)
/dev/disk5 on /Volumes/Setup on disc (x) (hfs, local, nodev, nosuid, read-only, noowners)
`
const placesOf = (printed: string, mounts?: string) =>
  disksOf(printed, mounts).map(({ name, mount_point }) => `${name} ${mount_point}`)

test('lists real disks from the df output of Linux and macOS', () => {
  expect(placesOf(LINUX)).toEqual([
    '/dev/vda /',
    'overlay /merged',
    'nas:/home /home/of us',
    'tank/data /tank/data',
    'C:\\ /mnt/c',
  ])
  expect(placesOf(MACOS)).toEqual(['/dev/disk3s1s1 /'])
  expect(disksOf(LINUX)[0]).toEqual({
    name: '/dev/vda',
    mount_point: '/',
    total_bytes: 1_024_000,
    available_bytes: 614_400,
    used_bytes: 307_200,
    usage_percent: 33.33,
  })
})

test('lists no disk that is mounted read-only', () => {
  expect(placesOf(LINUX, LINUX_MOUNTS)).toEqual(['overlay /merged', 'tank/data /tank/data', 'C:\\ /mnt/c'])
  const disc =
    '/dev/disk5 1000 1000 0 100% /Volumes/Setup on disc (x)\n/dev/disk3s5 1000 500 500 50% /System/Volumes/Data\n'
  expect(placesOf(MACOS + disc, MACOS_MOUNTS)).toEqual(['/dev/disk3s5 /System/Volumes/Data'])
})

test('reads the mounts with each result of df', async () => {
  let mounts = ''
  const look = diskLook(['printf', '%s', LINUX], 5000, async () => mounts)
  expect(await look()).toHaveLength(5)
  mounts = LINUX_MOUNTS
  expect(await look()).toHaveLength(3)
})

test.each(['', 'Filesystem\n', 'Filesystem\nno figures here\n\0\n'])('returns no disk for df output %j', (printed) => {
  expect(disksOf(printed)).toEqual([])
})

test('returns disks if df fails in part, none if it is missing', async () => {
  const partly = diskLook(['sh', '-c', `printf '%s' '${LINUX}'; echo "df: /secret: Permission denied" >&2; exit 1`])
  expect(await partly()).toHaveLength(5)
  expect(await diskLook(['svc-no-such-df'])()).toEqual([])
})

test('stops a df that hangs and returns the previous result', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-df-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // Prints on the first run, hangs on the second.
  const script = `test -e "$0" && exec sleep 60; touch "$0"; printf '%s' '${LINUX}'`
  const look = diskLook(['sh', '-c', script, join(folder, 'asked')], 500)
  const first = await look()
  expect(first).toHaveLength(5)
  expect(await look()).toBe(first)
})

test('measures each core since the previous sample', async () => {
  const cores = new Cores()
  await cores.look()
  const busy = await cores.look()
  expect(busy.length).toBeGreaterThan(0)
  for (const percent of busy) expect(percent).toSatisfy((value: number) => value >= 0 && value <= 100)
})

/** Cores with the given usages, the last one forever. */
function coresOf(...usages: number[][]) {
  let looks = 0
  return { look: async () => usages[Math.min(looks++, usages.length - 1)]!, looks: () => looks }
}

test('takes the first sample after the load of the start, and each later one at once', async () => {
  const since = [99, 99]
  const cores = coresOf(since, [100, 98], [100, 81], [60, 20], [97, 95])
  const collector = systemCollector({ calmPercent: 90, cores })
  const usages = [await collector.collect(), await collector.collect()].map(({ cpu }) => cpu.usage_percent)
  expect(usages).toEqual([40, 96])
})

test('reports a load that lasts longer than a start', async () => {
  const cores = coresOf([100, 100], [99, 97])
  expect(await firstUsage(cores, { calmPercent: 90, mostLooks: 3 })).toEqual([99, 97])
  expect(cores.looks()).toBe(3)
})

test('ends the wait of the first sample at a stop', async () => {
  const cores = coresOf([100])
  expect(await firstUsage(cores, { calmPercent: 90, stopping: AbortSignal.abort() })).toEqual([100])
  expect(cores.looks()).toBe(1)
})
