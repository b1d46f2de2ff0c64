// Reads the kernel's TCP table to identify the local peer of a connection.
import { open } from 'node:fs/promises'
import { endianness } from 'node:os'
import { isIPv4 } from 'node:net'
import { inBatches } from '../async/batches.ts'

/** Address as reported by `net.Socket`. */
export interface End {
  address: string
  port: number
}

export interface Connection {
  uid: number
  inode: number
}

/** `unknown`: the system has no readable table. `gone`: the connection is no longer in it. */
export type Found = Connection | 'unknown' | 'gone'

interface Wanted {
  /** All spellings of the two ends in the table. */
  keys: string[]
  /** Our port as spelt in the table. */
  ours: string
}

const TABLES = ['tcp', 'tcp6']
const PIECE_BYTES = 64 * 1024
/**
 * `3: 0100007F:B2DE 0100007F:8317 01 …`: the two ends, the state, queues, timer, retransmissions, uid, time-out, inode.
 */
const ROW = /^ *\d+: ([0-9A-F]+:([0-9A-F]{4}) \S+) (\S+) \S+ \S+ \S+ +(\d+) +\d+ (\d+)/gm
const LISTENING = '0A'
const NO_PORT = '0000'
const MOST_AT_ONCE = 1000

/**
 * Reads the table in slices. Lookups that arrive during a read share the next one. A row without an inode is skipped:
 * its socket is closed, and the kernel reports it as root's.
 */
export class ConnectionList {
  readonly #folder: string
  readonly #find = inBatches(MOST_AT_ONCE, (wanted: readonly Wanted[]) => this.#findAll(wanted))

  constructor(folder = '/proc/self/net') {
    this.#folder = folder
  }

  /** Finds the socket at `theirs` connected to `ours`. */
  find(theirs: End, ours: End): Promise<Found> {
    return this.#find({ keys: keysOf(theirs, ours), ours: portText(ours.port) })
  }

  async #findAll(batch: readonly Wanted[]): Promise<Found[]> {
    const open = new Map(batch.flatMap((wanted) => wanted.keys.map((key) => [key, wanted] as const)))
    const found = new Map<Wanted, Connection>()
    const listening = new Set<string>()
    for (const table of TABLES)
      await eachPiece(`${this.#folder}/${table}`, (lines) => {
        for (const [, ends = '', port = '', state, uid, inode] of lines.matchAll(ROW)) {
          if (state === LISTENING) listening.add(port)
          const wanted = open.get(ends)
          if (!wanted || inode === '0') continue
          found.set(wanted, { uid: Number(uid), inode: Number(inode) })
          for (const key of wanted.keys) open.delete(key)
        }
        return open.size > 0
      })
    // A table without our own listening socket does not cover us.
    return batch.map((wanted) => found.get(wanted) ?? (listening.has(wanted.ours) ? 'gone' : 'unknown'))
  }
}

/** Passes whole lines in slices to `take` until it returns false. */
async function eachPiece(file: string, take: (lines: string) => boolean): Promise<void> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES') return null
    throw error
  })
  if (handle === null) return
  try {
    const piece = Buffer.alloc(PIECE_BYTES)
    let rest = ''
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, PIECE_BYTES, null)
      if (bytesRead === 0) return
      const text = rest + piece.toString('latin1', 0, bytesRead)
      const end = text.lastIndexOf('\n') + 1
      rest = text.slice(end)
      if (!take(text.slice(0, end))) return
    }
  } finally {
    await handle.close()
  }
}

/** An IPv4 connection is listed as IPv6 if one program opened an IPv6 socket. */
function keysOf(theirs: End, ours: End): string[] {
  const [from, to] = [plain(theirs.address), plain(ours.address)]
  const key = (spell: (address: string) => string) =>
    `${spell(from)}:${portText(theirs.port)} ${spell(to)}:${portText(ours.port)}`
  if (!isIPv4(from) || !isIPv4(to)) return [key((address) => words(ipv6Bytes(address)))]
  return [key((address) => words(ipv4Bytes(address))), key((address) => words([...MAPPED, ...ipv4Bytes(address)]))]
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
const ipv4Bytes = (address: string): number[] => address.split('.').map(Number)

function ipv6Bytes(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = parseInt(group, 16)
    return [value >> 8, value & 255]
  })
}

const portText = (port: number): string => port.toString(16).toUpperCase().padStart(NO_PORT.length, '0')

/** The kernel prints an address as four-byte numbers in host byte order. */
function words(bytes: readonly number[]): string {
  const groups = Array.from({ length: bytes.length / 4 }, (_each, index) => bytes.slice(index * 4, index * 4 + 4))
  const ordered = endianness() === 'LE' ? groups.map((group) => group.reverse()) : groups
  return ordered
    .flat()
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
    .join('')
}
