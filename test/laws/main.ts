// `npm run campaign -- laws`: runs seeds on real daemons and minimises failures.
import { parseArgs } from 'node:util'
import { scheduleOf } from './schedule.ts'
import { playSeed, type Outcome } from './seed.ts'
import { minimised } from './minimise.ts'
import { countSteps, inWords, without, type Batch } from './steps.ts'
import type { Tally } from './play.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    seed: { type: 'string' },
    first: { type: 'string', default: '1' },
    batches: { type: 'string', default: '5' },
    minimise: { type: 'string', default: '60' },
    without: { type: 'string', default: '' },
    log: { type: 'boolean', default: false },
    bail: { type: 'boolean', default: false },
  },
})
const number = (name: 'seeds' | 'first' | 'batches' | 'minimise'): number => Number(values[name])
const seeds = values.seed
  ? values.seed.split(',').map(Number)
  : Array.from({ length: number('seeds') }, (_, index) => number('first') + index)
const sums: Tally = { commits: 0, hands: 0, kills: 0, checks: 0 }
const failed: number[] = []
let played = 0
/** Stops the daemon on a signal. */
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

for (const seed of seeds) {
  if (stop.signal.aborted || (values.bail && failed.length > 0)) break
  const started = performance.now()
  const batches = without(scheduleOf(seed, number('batches')), values.without.split(','))
  const outcome = await playSeed(batches, stop.signal)
  // The seed did not fail: its daemon was stopped.
  if (stop.signal.aborted) break
  for (const name of Object.keys(sums) as (keyof Tally)[]) sums[name] += outcome.tally[name]
  played++
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`
  if (outcome.broken.length === 0) console.log(`seed ${seed}: ${countSteps(batches)} steps, every law holds, ${took}`)
  else {
    failed.push(seed)
    const first = outcome.broken[0]!
    console.log(`seed ${seed}: BROKEN (${first.law}: ${first.what}), ${took}`)
    await report(seed, batches, outcome)
  }
}
const totals = Object.entries(sums).map(([name, count]) => `${count} ${name}`)
console.log(`\n${played} seeds, ${failed.length} failed (${totals.join(', ')})`)
if (failed.length > 0) console.log(`to repeat: npm run campaign -- laws --seed ${failed.join(',')}`)
process.exit(failed.length === 0 && !stop.signal.aborted ? 0 : 1)

async function report(seed: number, batches: Batch[], outcome: Outcome): Promise<void> {
  const shown = batches.slice(0, outcome.at + 1)
  print(shown, outcome)
  if (number('minimise') === 0 || stop.signal.aborted) return
  const least = await minimised(shown, outcome, {
    withinMs: number('minimise') * 1000,
    play: (fewer) => playSeed(fewer, stop.signal),
  })
  if (least === null) return console.log(`  seed ${seed} did not break the same law again within ${values.minimise} s`)
  console.log(`  ${countSteps(least.batches)} of the steps break the same law:`)
  print(least.batches, least.outcome)
}

function print(batches: Batch[], { broken, log = '' }: Pick<Outcome, 'broken'> & Partial<Outcome>): void {
  for (const [index, batch] of batches.entries())
    for (const step of batch) console.log(`    ${index + 1}. ${inWords(step)}`)
  for (const { law, what, detail } of broken) console.log(`  ${law}: ${what}: ${detail}`)
  if (values.log) console.log(log.replace(/^/gm, '    | '))
}
