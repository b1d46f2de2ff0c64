// A good commit into a team of a hundred agents that never become healthy: how soon it is converged, next to the same
// commit into an empty team.
import type { Condition, Resource } from '../../../schemas/resource.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { compare, conclude, median, within } from '../report.ts'
import { quiet } from './large-fleet.ts'

const SICK = 100
const ROUNDS = 15

/** A program that lives and never says a word. */
const silent = (name: string) =>
  `name: ${name}\nworking_dir: .\nshell: bash\nruntime: socket\ncommand: [sleep, "3600"]\nrestart: never\n`

const isReady = ({ type, status }: Condition) => type === 'Ready' && status === 'True'

/** When the daemon told that a policy is Ready, by its name; in milliseconds of this process. */
async function toldReady({ controller }: DaemonStand, stop: AbortSignal): Promise<Map<string, number>> {
  const told = new Map<string, number>()
  const { body } = await fetch(`${controller}/events`, { signal: stop })
  const read = async () => {
    let text = ''
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      const lines = (text + chunk).split('\n')
      text = lines.pop()!
      for (const line of lines.filter((each) => each.startsWith('data: {"type":"condition"'))) {
        const { name, condition } = JSON.parse(line.slice('data: '.length)) as { name: string; condition: Condition }
        if (isReady(condition)) told.set(name, performance.now())
      }
    }
  }
  void read().catch(() => undefined)
  return told
}

/** Milliseconds from the saved file until the daemon says that it is Ready, one after the other. */
async function converged(daemon: DaemonStand): Promise<number[]> {
  const stop = new AbortController()
  const told = await toldReady(daemon, stop.signal)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const saved = performance.now()
    daemon.write(`policies/good-${round}.yml`, `name: good-${round}\nmode: deny_all\n`)
    times.push((await eventually(() => told.get(`good-${round}`), 60_000, 1)) - saved)
    await quiet(daemon)
  }
  stop.abort()
  return times
}

async function measure(sick: number): Promise<number[]> {
  const daemon = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
  for (let at = 0; at < sick; at++) daemon.write(`agents/sick-${at}.yml`, silent(`sick-${at}`))
  await daemon.start()
  const isRunning = async () => (await daemon.agents()).filter(({ status }) => status === 'running').length === sick
  await eventually(isRunning, 300_000, 500)
  await quiet(daemon)
  const times = await converged(daemon)
  const all = await daemon.get<Resource[]>(`${daemon.controller}/resources`)
  const healthy = all.filter(({ conditions }) => conditions.some(isReady))
  if (healthy.length !== ROUNDS) throw new Error(`${healthy.length} are Ready, where ${ROUNDS} are good`)
  await daemon.close()
  return times
}

const floor = await measure(0)
const ours = await measure(SICK)
within(
  `a good commit among ${SICK} that never become healthy, to Ready, the slowest of ${ROUNDS}`,
  Math.max(...ours),
  2000,
  'ms',
)
compare({
  what: 'the same, median, next to a team with nobody sick',
  ours: median(ours),
  floor: median(floor),
  unit: 'ms',
  bound: null,
})
conclude()
