import { compare, median, print, timed } from '../report.ts'
import type { Contender } from './peers.ts'

const TASKS = 500
const AT_ONCE = 16
const ROUNDS = 9
/** Unmeasured rounds that compile code and fill caches. */
const WARM_UP = 2

const WHAT = { push: 'pushed', work: 'claimed and completed' }
type What = keyof typeof WHAT

async function atOnce(count: number, work: (at: number) => unknown): Promise<void> {
  let at = 0
  const worker = async () => {
    while (at < count) await work(at++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

const rounds: Record<What, (contender: Contender) => Promise<void>> = {
  push: (contender) => atOnce(TASKS, (at) => contender.push(`task ${at}`)),
  work: async (contender) => {
    if (contender.workOff) return contender.workOff(TASKS)
    await atOnce(TASKS, async () => {
      if (!(await contender.work())) throw new Error(`${contender.name} lost a task`)
    })
  },
}

const canWork = ({ cannotWork }: Contender): boolean => cannotWork === undefined

/** The bound of the first contender is half the rate of the fastest peer. */
export async function sideBySide(engine: string, all: readonly [Contender, ...Contender[]]): Promise<void> {
  const rates = new Map(all.map((each) => [each, { push: [] as number[], work: [] as number[] }]))
  for (let round = 0; round < WARM_UP + ROUNDS; round++)
    for (const contender of rotated(all, round))
      for (const what of ['push', ...(canWork(contender) ? ['work' as const] : [])] as What[]) {
        const rate = (TASKS * 1000) / (await timed(() => rounds[what](contender)))
        if (round >= WARM_UP) rates.get(contender)![what].push(rate)
      }
  for (const what of ['push', 'work'] as const) {
    const [ours, ...peers] = all
      .filter((each) => what === 'push' || canWork(each))
      .map((each) => ({ ...each, rate: median(rates.get(each)![what]) }))
      .toSorted((a, b) => Number(b.name === all[0].name) - Number(a.name === all[0].name) || b.rate - a.rate)
    const [fastest, ...slower] = peers
    const label = `${engine}: tasks ${WHAT[what]}`
    compare({
      what: `${label}, peer ${fastest!.name} (${fastest!.durability})`,
      ours: ours!.rate,
      floor: fastest!.rate,
      unit: '/s',
      least: 0.5,
    })
    for (const { name, rate } of slower) print(`${label} by ${name}`, rate, '/s')
  }
  for (const { name, cannotWork } of all)
    if (cannotWork !== undefined) console.log(`${engine}: ${name} cannot complete tasks: ${cannotWork}`)
}

/** Changes the order, so that no contender always follows the same one. */
function rotated<T>(all: readonly T[], round: number): T[] {
  const first = round % all.length
  return [...all.slice(first), ...all.slice(0, first)]
}
