// Contenders in turn, round after round, so that what else the machine does meets all of them alike.
import { readdirSync, readFileSync } from 'node:fs'
import { compare, median, timed } from '../report.ts'
import type { Contender } from './peers.ts'

const TASKS = 500
const AT_ONCE = 16
const ROUNDS = 11
/** Before that the engines compile, and the caches fill. */
const WARM_UP = 2

const WHAT = { push: 'a push', work: 'a claim that is completed' }
type What = keyof typeof WHAT

/** Microseconds a task, of every round. */
interface Times {
  wall: number[]
  cpu: number[]
}

async function atOnce(count: number, work: (at: number) => unknown): Promise<void> {
  let at = 0
  const worker = async () => {
    while (at < count) await work(at++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

const doing: Record<What, (contender: Contender) => Promise<void>> = {
  push: (contender) => atOnce(TASKS, (at) => contender.push(`task ${at}`)),
  work: async (contender) => {
    if (contender.workOff) return contender.workOff(TASKS)
    await atOnce(TASKS, async () => {
      if (!(await contender.work())) throw new Error(`${contender.name} has lost a task`)
    })
  },
}

/** `serverPid`: of a database server that is not in this process; its time counts too. */
export async function sideBySide(
  where: string,
  [own, ...others]: readonly [Contender, ...Contender[]],
  serverPid?: number,
): Promise<void> {
  const all = [own, ...others]
  const times = new Map(all.map((each) => [each, { push: none(), work: none() }]))
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const contender of turned(all, round + WARM_UP))
      for (const what of doneBy(contender)) {
        const before = cpuMicros(serverPid)
        const wall = (await timed(() => doing[what](contender))) * 1000
        const of = times.get(contender)![what]
        if (round < 0) continue
        of.wall.push(wall / TASKS)
        of.cpu.push((cpuMicros(serverPid) - before) / TASKS)
      }
  process.stdout.write(`${where}: ours with ${own.durability}; the medians of ${ROUNDS} rounds in turn\n`)
  for (const other of others) {
    if (other.cannotWork !== undefined)
      process.stdout.write(`${where}: ${other.name} gives no task away (${other.cannotWork}): not measured\n`)
    for (const what of doneBy(other)) {
      const [mine, theirs] = [times.get(own)![what], times.get(other)![what]]
      const line = `${where}, ${WHAT[what]}, next to ${other.name} with ${other.durability}`
      compare({ what: line, ours: median(mine.wall), floor: median(theirs.wall), unit: 'us', bound: 1 })
      const cpu = { ours: median(mine.cpu), floor: median(theirs.cpu), unit: 'us', bound: null }
      compare({ what: `${where}, ${WHAT[what]}, processor time next to ${other.name}`, ...cpu })
    }
  }
}

const none = (): Times => ({ wall: [], cpu: [] })

const doneBy = ({ cannotWork }: Contender): What[] => (cannotWork === undefined ? ['push', 'work'] : ['push'])

/** Nobody is always the one who comes after the same other. */
function turned<T>(all: readonly T[], round: number): T[] {
  const first = round % all.length
  return [...all.slice(first), ...all.slice(0, first)]
}

/** Microseconds of processor time of this process, and of the server where the machine tells that of others (Linux). */
function cpuMicros(serverPid?: number): number {
  const { user, system } = process.cpuUsage()
  return user + system + (serverPid !== undefined && process.platform === 'linux' ? ticksOf(serverPid) * 10_000 : 0)
}

/** Of a process, its children, and those that have ended: hundredths of a second. */
function ticksOf(pid: number): number {
  let ticks = 0
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [ppid, own, ended] = timesOf(entry)
    if (Number(entry) === pid) ticks += own + ended
    else if (ppid === pid) ticks += own
  }
  return ticks
}

function timesOf(pid: string): [ppid: number, own: number, ended: number] {
  try {
    // The name before it may hold anything but the last bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number)
    return [fields[1]!, fields[11]! + fields[12]!, fields[13]! + fields[14]!]
  } catch {
    return [0, 0, 0]
  }
}
