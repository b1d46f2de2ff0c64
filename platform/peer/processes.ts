// Finds the process that holds a socket, and its ancestry, in /proc.
import { readlinkSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inBatches } from '../async/batches.ts'
import { RecentMap } from '../core/recent.ts'

export interface Lineage {
  /** The process, its parent, and so on to the first. */
  processes: readonly number[]
  /** Session ids (setsid): an orphan remains in the session of its terminal. */
  sessions: readonly number[]
  /** Values of SVC_AGENT_ID in their environments, nearest first. */
  agentIds: readonly string[]
}

/** Links read per slice. */
const LINKS_AT_ONCE = 200
/** More than any real process chain. */
const MOST_ANCESTORS = 1000
const PROC = '/proc'

/** Known callers are checked first: long-running programs reconnect often. */
const MOST_KNOWN = 32

/** Sockets per lookup. */
const MOST_AT_ONCE = 1000

export class Holders {
  /** Most recent first. */
  #known: number[] = []

  /**
   * Returns the process that holds the socket; null if there is none that we may inspect. Checks known callers, then
   * processes from newest to oldest (0.1 ms each with thousands of processes), because a new caller has usually just
   * started. Concurrent lookups share one scan.
   */
  readonly of = inBatches(MOST_AT_ONCE, (inodes: readonly number[]) => this.#findAll(inodes))

  async #findAll(inodes: readonly number[]): Promise<(number | null)[]> {
    const links = inodes.map((inode) => `socket:[${inode}]`)
    const open = new Set(links)
    const holders = new Map<string, number>()
    const among = async (pids: readonly number[]) => {
      for (const pid of pids) {
        if (open.size === 0) return
        const held = await heldBy(pid, open)
        if (held.size === 0) continue
        for (const link of held) holders.set(link, pid)
        this.#known = [pid, ...this.#known.filter((each) => each !== pid)].slice(0, MOST_KNOWN)
      }
    }
    await among(this.#known)
    if (open.size > 0) await among(await newestFirst())
    return links.map((link) => holders.get(link) ?? null)
  }
}

async function newestFirst(): Promise<number[]> {
  const entries = await readdir(PROC)
  return entries
    .map(Number)
    .filter(Number.isInteger)
    .sort((a, b) => b - a)
}

/** Returns the links in `open` that the process holds, and removes them from `open`. */
async function heldBy(pid: number, open: Set<string>): Promise<Set<string>> {
  const folder = `${PROC}/${pid}/fd`
  // Ended, or access denied.
  const descriptors = await readdir(folder).catch(() => [])
  const held = new Set<string>()
  // Recently opened sockets usually have the highest numbers.
  for (const [count, name] of descriptors.reverse().entries()) {
    if (open.size === 0) break
    if (count > 0 && count % LINKS_AT_ONCE === 0) await nextTurn()
    const link = linkOf(`${folder}/${name}`)
    if (link !== null && open.delete(link)) held.add(link)
  }
  return held
}

/** Synchronous, because it takes a microsecond and a promise a hundred. */
function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null // closed
  }
}

/** Cached lineages, for programs that call repeatedly. */
const MOST_LINEAGES = 256

export class Lineages {
  /** By pid and start time, because pids are reused. */
  readonly #known = new RecentMap<Promise<Lineage>>(MOST_LINEAGES)

  /** Caches the lineage for the life of the process, because ancestry only shrinks and ended parents still count. */
  async of(pid: number): Promise<Lineage> {
    const facts = await parentage(pid)
    if (facts === null) return lineageOf(pid)
    const key = `${pid}:${facts.started}`
    const lineage = this.#known.get(key) ?? lineageOf(pid)
    this.#known.set(key, lineage)
    lineage.catch(() => this.#known.delete(key))
    return lineage
  }
}

/** Reads the ancestry of a process as far as /proc shows it. */
export async function lineageOf(pid: number): Promise<Lineage> {
  const processes: number[] = []
  const sessions: number[] = []
  const agentIds: string[] = []
  for (let next = pid; next > 0 && processes.length < MOST_ANCESTORS;) {
    const [facts, agentId] = await Promise.all([parentage(next), agentIdOf(next)])
    if (facts === null) break
    processes.push(next)
    sessions.push(facts.session)
    if (agentId !== null) agentIds.push(agentId)
    next = facts.parent
  }
  return { processes, sessions, agentIds }
}

/** Index of the start time among the fields after the name. */
const STARTED = 19

/** `pid (name) state parent group session …`; the name can contain anything, including brackets. */
async function parentage(pid: number): Promise<{ parent: number; session: number; started: string } | null> {
  const text = await readFile(`${PROC}/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [, parent, , session] = fields
  return { parent: Number(parent), session: Number(session), started: fields[STARTED]! }
}

async function agentIdOf(pid: number): Promise<string | null> {
  const text = await readFile(`${PROC}/${pid}/environ`, 'latin1').catch(() => '')
  const variable = text.split('\0').find((each) => each.startsWith(VARIABLE))
  return variable === undefined ? null : variable.slice(VARIABLE.length)
}
const VARIABLE = 'SVC_AGENT_ID='
