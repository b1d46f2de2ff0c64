import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median, print, within } from '../report.ts'
import { figure, fleet, longestBlock, note, passAfter, quiet, remembers, untilRow, workflowsOf } from './large-fleet.ts'

const ROUNDS = 5

const of = await fleet(10_000)
const { daemon, count } = of
const workflows = await workflowsOf(of)
const [live, calls, passes]: [number[], number[], number[]] = [[], [], []]
await longestBlock(of)
for (let round = 0; round < ROUNDS; round++) {
  const before = await figure(daemon.controller, 'controller_reconciler_calls_total')
  const file = join(daemon.manifests, 'workflows', `w${round}.yml`)
  writeFileSync(file, readFileSync(file, 'utf8').replace('secs: 60', `secs: 7${round}`))
  const { id } = workflows.get(`w${round}`)!
  live.push(await untilRow(of, id, (row) => row.poll_interval_secs === 70 + round))
  await quiet(daemon)
  calls.push((await figure(daemon.controller, 'controller_reconciler_calls_total')) - before)
  passes.push(await passAfter(of, () => note(of)))
}
within(`one of ${count} changed, service calls, highest of ${ROUNDS}`, Math.max(...calls), 5, 'calls')
print(`one of ${count} changed, from saved file to row, median`, median(live), 'ms')
print(`pass over ${count} unchanged manifests, median`, median(passes), 'ms')
within(`longest event-loop block, one of ${count} changed`, await longestBlock(of), 100, 'ms')
await remembers(of, 480)
await daemon.close()
