// Changes by hand over 5,000 resources of a real daemon: how soon one is healed, and how soon hundreds a second are on
// record.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../support/eventually.ts'
import { request } from '../../support/http.ts'
import { fleet, passAfter, quiet, untilRow, workflowsOf, type Fleet } from './large-fleet.ts'
import { conclude, median, quantile, within } from '../report.ts'

const EDITS = 1500
const EDITS_A_SECOND = 300

const HEALED = 21

/** Each of another resource: one that is changed again and again is contested, and not put back any more. */
async function healed(of: Fleet): Promise<void> {
  const { daemon, count } = of
  const names = Array.from({ length: HEALED }, (_, index) => `w${index}`)
  await passAfter(of, () => {
    for (const name of names) {
      const file = join(daemon.manifests, 'workflows', `${name}.yml`)
      writeFileSync(file, `${readFileSync(file, 'utf8')}sync: { drift: heal }\n`)
    }
  })
  await quiet(daemon)
  const workflows = await workflowsOf(of)
  const times: number[] = []
  for (const name of names) {
    const { id } = workflows.get(name)!
    await request('PATCH', `${daemon.orchestrator}/workflows/${id}`, { poll_interval_secs: 99 })
    times.push(await untilRow(of, id, (row) => row.poll_interval_secs !== 99))
    await quiet(daemon)
  }
  within(`healing one of ${count}, from the answered change to the row, median of ${HEALED}`, median(times), 20, 'ms')
}

/** Names of drift records, and when the daemon told of each. */
async function driftsOf({ daemon }: Fleet, stop: AbortSignal): Promise<Map<string, number>> {
  const told = new Map<string, number>()
  const { body } = await fetch(`${daemon.controller}/events`, { signal: stop })
  const read = async () => {
    let text = ''
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      const lines = (text + chunk).split('\n')
      text = lines.pop()!
      for (const line of lines) {
        const name = line.startsWith('data: {"type":"drift"') && /"name":"(w\d+)"/.exec(line)?.[1]
        if (name) told.set(name, performance.now())
      }
    }
  }
  void read().catch(() => undefined)
  return told
}

async function editsByHand(of: Fleet): Promise<void> {
  const { daemon, count } = of
  const stop = new AbortController()
  const told = await driftsOf(of, stop.signal)
  const reported = [...(await workflowsOf(of)).values()].filter(({ name }) => Number(name.slice(1)) >= HEALED)
  const chosen = reported.slice(0, EDITS)
  const answered = new Map<string, number>()
  const begin = performance.now()
  const edits: Promise<void>[] = []
  for (const [index, { id, name }] of chosen.entries()) {
    await sleep(Math.max(0, begin + (index * 1000) / EDITS_A_SECOND - performance.now()))
    const edit = request('PATCH', `${daemon.orchestrator}/workflows/${id}`, { poll_interval_secs: 61 })
    edits.push(edit.then(() => void answered.set(name, performance.now())))
  }
  await Promise.all(edits)
  const rate = (EDITS * 1000) / (Math.max(...answered.values()) - begin)
  await eventually(() => told.size >= EDITS, 60_000, 20)
  stop.abort()
  const { total } = await daemon.get(`${daemon.controller}/drift?open=true&limit=1`)
  if (total < EDITS) throw new Error(`${total} of ${EDITS} changes are on record`)
  const delays = [...answered].map(([name, at]) => Math.max(0, told.get(name)! - at))
  within(
    `changes by hand over ${count} answered, a second (at least ${EDITS_A_SECOND * 0.95})`,
    EDITS_A_SECOND * 0.95,
    rate,
    '/s',
  )
  within(
    `${EDITS_A_SECOND} changes by hand a second over ${count}, to the record, p99`,
    quantile(delays, 0.99),
    1000,
    'ms',
  )
}

const of = await fleet(5000)
await healed(of)
await editsByHand(of)
await of.daemon.close()
conclude()
