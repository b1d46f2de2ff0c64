// One manifest of 10,000 changes: how soon a real daemon has made it live, what that asks of the services, and what the
// daemon holds in memory.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { figure, fleet, holds, longestBlock, quiet, untilRow, workflowsOf, type Fleet } from './large-fleet.ts'
import { conclude, within } from '../report.ts'

const ROUNDS = 5

async function oneChanged(of: Fleet): Promise<void> {
  const { daemon, count } = of
  const workflows = await workflowsOf(of)
  const [live, calls]: [number[], number[]] = [[], []]
  await longestBlock(of)
  for (let round = 0; round < ROUNDS; round++) {
    const before = await figure(daemon.controller, 'controller_reconciler_calls_total')
    const file = join(daemon.manifests, 'workflows', `w${round}.yml`)
    writeFileSync(file, readFileSync(file, 'utf8').replace('secs: 60', `secs: 7${round}`))
    const { id } = workflows.get(`w${round}`)!
    live.push(await untilRow(of, id, (row) => row.poll_interval_secs === 70 + round))
    await quiet(daemon)
    calls.push((await figure(daemon.controller, 'controller_reconciler_calls_total')) - before)
  }
  within(
    `one changed of ${count}, from the saved file to the row, the slowest of ${ROUNDS}`,
    Math.max(...live),
    2000,
    'ms',
  )
  within(`one changed of ${count}, calls of the service, the most of ${ROUNDS}`, Math.max(...calls), 5, 'calls')
  within(`longest block of the loop with one changed of ${count}`, await longestBlock(of), 50, 'ms')
}

const of = await fleet(10_000)
await oneChanged(of)
await holds(of, 220)
await of.daemon.close()
conclude()
