import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ConnectionList } from '../../../platform/peer/connections.ts'
import { Peers, canIdentifyPeers } from '../../../platform/peer/peers.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const HEADING = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'
const LISTENING = row('0100007F:426E', '00000000:0000', { state: '0A', uid: 7, inode: 1 })

function row(local: string, remote: string, { state = '01', uid = 1000, inode = 99 } = {}): string {
  return `   1: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${uid}        0 ${inode} 1 0000000000000000 20 4 30 10 -1`
}

/** A TCP table of a little-endian machine. */
function listOf(rows: { tcp?: string[]; tcp6?: string[] }): ConnectionList {
  const folder = mkdtempSync(join(tmpdir(), 'svc-net-'))
  folders.push(folder)
  mkdirSync(folder, { recursive: true })
  for (const table of ['tcp', 'tcp6'] as const)
    if (rows[table]) writeFileSync(join(folder, table), `${[HEADING, ...rows[table]].join('\n')}\n`)
  return new ConnectionList(folder)
}

const OURS = { address: '127.0.0.1', port: 17006 }
const theirs = { address: '127.0.0.1', port: 45_808 }
const MAPPED = '0000000000000000FFFF00000100007F'

describe('a connection', () => {
  test('is found by both its ends, not by one', async () => {
    const rows = [
      LISTENING,
      row('0100007F:426E', '0100007F:B2F0', { uid: 7 }),
      row('0100007F:B2F0', '0100007F:0050', { uid: 8 }),
      row('0200007F:B2F0', '0100007F:426E', { uid: 9 }),
      row('0100007F:B2F0', '0100007F:426E', { uid: 1001, inode: 4711 }),
    ]
    expect(await listOf({ tcp: rows }).find(theirs, OURS)).toEqual({ uid: 1001, inode: 4711 })
  })

  test('is found if either end is an IPv6 socket', async () => {
    const mapped = row(`${MAPPED}:B2F0`, `${MAPPED}:426E`, { uid: 1002 })
    const asMapped = (end: typeof OURS) => ({ ...end, address: `::ffff:${end.address}` })
    expect(await listOf({ tcp: [LISTENING], tcp6: [mapped] }).find(theirs, OURS)).toMatchObject({ uid: 1002 })
    const plain = listOf({ tcp: [LISTENING, row('0100007F:B2F0', '0100007F:426E', { uid: 1003 })] })
    expect(await plain.find(asMapped(theirs), asMapped(OURS))).toMatchObject({ uid: 1003 })
    const loopback = '00000000000000000000000001000000'
    const sixth = listOf({ tcp6: [row(`${loopback}:B2F0`, `${loopback}:426E`, { uid: 1004 })] })
    expect(await sixth.find({ ...theirs, address: '::1' }, { ...OURS, address: '::1' })).toMatchObject({ uid: 1004 })
  })

  test('is gone after closing, although the kernel reports it as root', async () => {
    const closed = row('0100007F:B2F0', '0100007F:426E', { state: '06', uid: 0, inode: 0 })
    expect(await listOf({ tcp: [LISTENING, closed] }).find(theirs, OURS)).toBe('gone')
    expect(await listOf({ tcp: [LISTENING] }).find(theirs, OURS)).toBe('gone')
  })

  test('is unknown without a table that covers this process', async () => {
    expect(await listOf({}).find(theirs, OURS)).toBe('unknown')
    expect(await listOf({ tcp: [row('0100007F:0001', '00000000:0000', { state: '0A' })] }).find(theirs, OURS)).toBe(
      'unknown',
    )
  })

  test('is found among many by concurrent callers without blocking', async () => {
    const port = (index: number) => index.toString(16).toUpperCase().padStart(4, '0')
    const others = Array.from({ length: 40_000 }, (_each, index) =>
      row(`0100007F:${port(index)}`, '0100007F:426E', { uid: index, inode: index + 1 }),
    )
    // A garbage collection can hit one iteration of a round, but not of every round.
    const shares: number[] = []
    for (let round = 0; round < 3; round++) {
      const list = listOf({ tcp: [LISTENING, ...others], tcp6: [] })
      const asked = Array.from({ length: 500 }, (_each, index) => list.find({ ...theirs, port: index * 70 }, OURS))
      const turns = turnsOfTheLoop()
      const found = await Promise.all(asked)
      const { longest, all } = turns()
      expect(found).toEqual(found.map((_each, index) => ({ uid: index * 70, inode: index * 70 + 1 })))
      shares.push(longest / all)
    }
    // The table has a hundred slices.
    expect(Math.min(...shares)).toBeLessThan(0.25)
  })
})

describe('the other end of a real connection', () => {
  async function connected(host: string, listenOn = host): Promise<{ socket: Socket; close(): void }> {
    const server = createServer().listen(0, listenOn)
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port, host)
    const [socket] = (await once(server, 'connection')) as [Socket]
    const close = () => {
      for (const each of [client, socket]) each.destroy()
      server.close()
    }
    return { socket, close }
  }

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '::'],
  ])('is found as this process, from %s to %s', async (host, listenOn) => {
    const { socket, close } = await connected(host, listenOn)
    const peers = new Peers()
    expect(await peers.of(socket)).toMatchObject({ uid: process.getuid!() })
    expect(await peers.lineageOf(socket)).toMatchObject({
      processes: expect.arrayContaining([process.pid, process.ppid]),
    })
    close()
  })

  test('is gone after closing, and is looked up once', async () => {
    const { socket, close } = await connected('127.0.0.1')
    close()
    expect(await new Peers().of(socket)).toBe('gone')
    let asked = 0
    class Counting extends ConnectionList {
      override find(...ends: Parameters<ConnectionList['find']>) {
        asked++
        return super.find(...ends)
      }
    }
    const again = await connected('127.0.0.1')
    const peers = new Peers(new Counting())
    await Promise.all([peers.of(again.socket), peers.of(again.socket)])
    expect([await peers.of(again.socket), asked]).toEqual([expect.objectContaining({ uid: process.getuid!() }), 1])
    again.close()
  })

  test('is reported by this system, but not without a table', async () => {
    expect(await canIdentifyPeers()).toBe(true)
    expect(await canIdentifyPeers(listOf({}))).toBe(false)
  })
})

/** Processor time from now on, total and of the longest event-loop iteration. A busy machine prolongs both. */
function turnsOfTheLoop(): () => { longest: number; all: number } {
  const spent = () => process.cpuUsage().user + process.cpuUsage().system
  const begin = spent()
  let [last, longest] = [begin, 0]
  const turn = () => {
    const now = spent()
    longest = Math.max(longest, now - last)
    last = now
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  return () => {
    turn()
    clearImmediate(next)
    return { longest, all: last - begin }
  }
}
