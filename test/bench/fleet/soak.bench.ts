// Memory during steady work. SVC_BENCH_SOAK_MINUTES sets the duration (at least 4).
// By name only: takes ten minutes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from '../../support/http.ts'
import { compare, median } from '../report.ts'
import { figure, fleet, remembers, resident, workflowsOf, type Fleet } from './large-fleet.ts'

const COUNT = 10_000
const MINUTES = Number(process.env.SVC_BENCH_SOAK_MINUTES ?? 10)
const SAMPLE_MS = 10_000
const A_MINUTE = 60_000 / SAMPLE_MS
/** Until then V8 has not released the memory of the initial load. */
const WARM_UP_MINUTES = 1
const WINDOW_MINUTES = Math.min(3, (MINUTES - WARM_UP_MINUTES) / 2)

/** Resources to change repeatedly: the working set must stay constant. */
const IN_TURN = 100
const CHANGED_BY_COMMIT = 5

/** Passes the number of previous calls to `work` and returns the total. */
async function steadily(
  everyMs: number,
  stop: AbortSignal,
  work: (count: number) => Promise<unknown>,
): Promise<number> {
  let count = 0
  for (let due = performance.now(); !stop.aborted; due += everyMs) {
    await work(count++)
    await sleep(Math.max(0, due + everyMs - performance.now()), null, { signal: stop }).catch(() => undefined)
  }
  return count
}

async function commit({ daemon }: Fleet, count: number): Promise<void> {
  for (let at = 0; at < CHANGED_BY_COMMIT; at++) {
    const file = join(daemon.manifests, 'workflows', `w${(count * CHANGED_BY_COMMIT + at) % IN_TURN}.yml`)
    const text = readFileSync(file, 'utf8').replace(/secs: \d+/, `secs: ${60 + (count % 100)}`)
    writeFileSync(file, text)
  }
}

/** Returns the number of calls by type. */
async function worked(of: Fleet, stop: AbortSignal): Promise<Record<string, number>> {
  const { controller, orchestrator } = of.daemon
  const [workflows, agents] = [await workflowsOf(of), await of.daemon.agents()]
  const edit = (count: number) => {
    const { id } = workflows.get(`w${IN_TURN + (count % IN_TURN)}`)!
    const poll_interval_secs = 61 + (Math.floor(count / IN_TURN) % 3)
    return request('PATCH', `${orchestrator}/workflows/${id}`, { poll_interval_secs })
  }
  const send = (count: number) =>
    of.daemon.send(agents[count % agents.length]!.id, `Task ${count}. ${'Words. '.repeat(50)}`)
  const ask = () => request('POST', `${controller}/plan`, { source: 'default', keep_drift: true })
  const list = () => request('GET', `${controller}/resources?limit=100`)
  const [commits, edits, messages, plans, lists] = await Promise.all([
    steadily(10_000, stop, (count) => commit(of, count)),
    steadily(2000, stop, edit),
    steadily(1000, stop, send),
    steadily(10_000, stop, ask),
    steadily(1000, stop, list),
  ])
  return { commits, edits, messages, plans, lists }
}

const of = await fleet(COUNT)
const frames = await of.daemon.listen()
const stop = new AbortController()
const work = worked(of, stop.signal)
const samples: number[] = []
const passesBefore = await figure(of.daemon.controller, 'controller_passes_total')
for (let minute = 1; minute <= MINUTES; minute++) {
  for (let at = 0; at < A_MINUTE; at++) {
    await sleep(SAMPLE_MS)
    samples.push(resident(of))
  }
  console.log(`minute ${minute}: ${median(samples.slice(-A_MINUTE)).toFixed(0)} MiB`)
}
stop.abort()
const done = Object.entries(await work).map(([what, count]) => `${count} ${what}`)
const passes = (await figure(of.daemon.controller, 'controller_passes_total')) - passesBefore
console.log(`${done.join(', ')}, ${passes} passes, ${frames.length} agent frames`)

const window = WINDOW_MINUTES * A_MINUTE
const early = median(samples.slice(WARM_UP_MINUTES * A_MINUTE).slice(0, window))
const late = median(samples.slice(-window))
compare({
  what: `resident memory after ${MINUTES} minutes of work`,
  ours: late,
  floor: early,
  unit: 'MiB',
  bound: 1.15,
})
await remembers(of, 480)
await of.daemon.close()
