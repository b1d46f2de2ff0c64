// Which process holds a socket, and where that process comes from, as /proc tells.
import { readlinkSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inBatches } from '../async/batches.ts'
import { RecentMap } from '../core/recent.ts'

/** Where a process comes from. */
export interface Lineage {
  /** The process itself, its parent, and so on up to the first of all. */
  processes: readonly number[]
  /** The sessions (setsid) they are in: one that its parent left behind is still in the session of its terminal. */
  sessions: readonly number[]
  /** What SVC_AGENT_ID says in the environment of any of them, nearest first. */
  agentIds: readonly string[]
}

/** Links looked at before the loop goes on. */
const LINKS_AT_ONCE = 200
/** More than any real chain of processes. */
const MOST_ANCESTORS = 1000
const PROC = '/proc'

/** Processes that asked before, looked at first: programs that stay connect again and again. */
const MOST_KNOWN = 32

/** Sockets looked for at once. */
const MOST_AT_ONCE = 1000

export class Holders {
  /** The latest first. */
  #known: number[] = []

  /**
   * The process that holds the socket; null when none that we may look into does. Of those that never asked before,
   * who asks has most often just been started: newest first. With thousands of processes that takes a tenth of a
   * millisecond for each that is newer. Questions that come meanwhile are answered together by the next look.
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

/** Those of `open` that the process holds; they are taken out of it. */
async function heldBy(pid: number, open: Set<string>): Promise<Set<string>> {
  const folder = `${PROC}/${pid}/fd`
  // Ended since, or not ours to look into.
  const descriptors = await readdir(folder).catch(() => [])
  const held = new Set<string>()
  // What was opened last has most often the highest number.
  for (const [count, name] of descriptors.reverse().entries()) {
    if (open.size === 0) break
    if (count > 0 && count % LINKS_AT_ONCE === 0) await nextTurn()
    const link = linkOf(`${folder}/${name}`)
    if (link !== null && open.delete(link)) held.add(link)
  }
  return held
}

/** In place, for it takes a microsecond, and a promise for each would take a hundred. */
function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null // closed since
  }
}

/** Of so many processes that asked it is remembered where they come from: programs that stay ask again and again. */
const MOST_LINEAGES = 256

export class Lineages {
  /** By pid and start: a pid is given again, with another start. */
  readonly #known = new RecentMap<Promise<Lineage>>(MOST_LINEAGES)

  /**
   * Where a process comes from, looked up once in its life: it descends from nothing that was started after it, and
   * what of its parents has ended meanwhile is still where it came from.
   */
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

/** The process and all it descends from, as far as /proc shows them. */
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

/** What stands in the list of a process at this place, the name and what is before it left out. */
const STARTED = 19

/** `pid (name) state parent group session …`; the name may hold anything, brackets too. */
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
