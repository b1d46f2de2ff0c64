// The passes a real daemon makes by itself over thousands of files that have not changed: how they grow with their
// number, and how long they keep anything else in the daemon from running.
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { writeFleet } from './fleet.ts'
import { compare, conclude, median, within } from '../report.ts'

const ROUNDS = 15
const PATIENCE_MS = 300_000

interface Measured {
  /** Milliseconds of the first pass of a daemon that has read nothing yet. */
  cold: number
  /** Of a pass that finds everything as it was. */
  warm: number
  /**
   * Longest stretch in which nothing else ran, in milliseconds, while warm passes and one over a changed file were
   * made.
   */
  blocked: number
}

async function measure(count: number): Promise<Measured> {
  const daemon = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
  writeFleet(daemon.manifests, count)
  const note = join(daemon.manifests, 'policies', 'readme.md')
  writeFileSync(note, 'No manifest.\n')
  await daemon.start()
  await eventually(
    async () => (await daemon.get(`${daemon.controller}/runs?limit=1`)).items[0]?.status === 'succeeded',
    PATIENCE_MS,
    100,
  )
  const cold = await firstPass(daemon)
  const warm: number[] = []
  // The first round compiles the code.
  for (let round = 0; round <= ROUNDS; round++) {
    if (round === 1) await longestBlock(daemon)
    const length = await passAfter(daemon, () => appendFileSync(note, 'Still none.\n'))
    if (round > 0) warm.push(length)
  }
  await passAfter(daemon, () => appendFileSync(join(daemon.manifests, 'policies', 'p0.yml'), '# The end.\n'))
  const blocked = await longestBlock(daemon)
  await daemon.close()
  return { cold, warm: median(warm), blocked }
}

/** Starts seen too late: another pass had been made by then. */
const MOST_STARTS = 20

/** Of a daemon that is started anew, in milliseconds: it tells the length of its last pass alone. */
async function firstPass(daemon: DaemonStand): Promise<number> {
  for (let start = 0; start < MOST_STARTS; start++) {
    await daemon.stopBy('SIGTERM')
    await daemon.start()
    const text = await eventually(
      async () => {
        const told = await figures(daemon.controller)
        return valueIn(told, 'controller_passes_total') > 0 && told
      },
      PATIENCE_MS,
      2,
    )
    if (valueIn(text, 'controller_passes_total') === 1) return valueIn(text, 'controller_last_pass_seconds') * 1000
  }
  throw new Error(`the first pass was not seen at any of ${MOST_STARTS} starts`)
}

/** Makes `move` and returns the length of the pass that follows; in milliseconds. */
async function passAfter({ controller }: DaemonStand, move: () => void): Promise<number> {
  const before = await figure(controller, 'controller_passes_total')
  move()
  return nextPass(controller, before)
}

async function nextPass(controller: string, before: number): Promise<number> {
  await eventually(async () => (await figure(controller, 'controller_passes_total')) > before, PATIENCE_MS, 20)
  return (await figure(controller, 'controller_last_pass_seconds')) * 1000
}

/** Since it was asked for before, as the daemon itself measures it; in milliseconds. */
async function longestBlock(daemon: DaemonStand): Promise<number> {
  return (await figure(daemon.orchestrator, 'nodejs_eventloop_lag_max_seconds')) * 1000
}

const figures = async (service: string): Promise<string> => (await fetch(`${service}/metrics`)).text()

const valueIn = (text: string, name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])

const figure = async (service: string, name: string): Promise<number> => valueIn(await figures(service), name)

const small = await measure(1250)
const large = await measure(5000)
const growth = { floor: 0, unit: 'ms', bound: 4.5 }
compare({
  ...growth,
  what: 'first automatic pass, growth from 1,250 to 5,000',
  ours: large.cold,
  floor: small.cold,
})
compare({ ...growth, what: 'automatic pass, growth from 1,250 to 5,000', ours: large.warm, floor: small.warm })
compare({
  what: 'automatic pass over 5,000 unchanged manifests, next to the first one',
  ours: large.warm,
  floor: large.cold,
  unit: 'ms',
  bound: 0.05,
})
within('longest block of the event loop in automatic passes over 5,000', large.blocked, 50, 'ms')
conclude()
