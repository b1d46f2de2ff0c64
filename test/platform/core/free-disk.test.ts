import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { FreeDisk } from '../../../platform/core/free-disk.ts'

const MORE_THAN_ANY_DISK = 2 ** 60

test('refuses additions below the minimum, and names the setting', async () => {
  const disk = new FreeDisk({ dataDir: tmpdir(), minFreeDisk: MORE_THAN_ANY_DISK })
  await expect(disk.mustHaveRoom()).rejects.toMatchObject({
    status: 503,
    code: 'folder-unavailable',
    message: expect.stringMatching(
      /^the data folder \S+ has \d+ MiB of free disk space, less than 1099511627776 MiB \(SVC_MIN_FREE_DISK\): free/,
    ),
  })
})

test.each([
  ['enough space', tmpdir(), 1],
  ['no minimum', tmpdir(), 0],
  ['an unreadable folder, which its writes report', '/nonexistent', MORE_THAN_ANY_DISK],
])('allows additions with %s', async (_what, dataDir, minFreeDisk) => {
  await new FreeDisk({ dataDir, minFreeDisk }).mustHaveRoom()
})
