// What the flags by which a daemon keeps its heap small cost: the same work over 5,000 resources with them and without, in
// turn, in time and in processor time; and what they spare.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../support/root.ts'
import { request } from '../../support/http.ts'
import { fleet, note, passAfter, quiet, resident, REST_MS, workflowsOf, type Fleet } from './large-fleet.ts'
import { compare, conclude, median, timed, within } from '../report.ts'

const COUNT = 5000
const ROUNDS = 3
const PASSES = 20
const EDITS = 400

const WITHOUT = [process.execPath, '--import', join(root, 'test/bench/fleet/without-flags.mjs'), 'bin/svc', 'serve']

interface Cost {
  /** Milliseconds: from the start to a fleet that is Ready; of the work after it; and what of a core that work took. */
  made: number
  took: number
  core: number
  /** MiB after the work, and a minute later. */
  busy: number
  rest: number
}

/** Milliseconds of a core that the process has taken; the kernel counts hundredths of a second. */
function core({ pid }: Fleet): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** Passes that find nothing, commits that change something, and changes by hand that are put on record. */
async function work(of: Fleet): Promise<void> {
  const { daemon } = of
  for (let round = 0; round < PASSES; round++) {
    await passAfter(of, () => note(of))
    const file = join(daemon.manifests, 'policies', `p${round}.yml`)
    await passAfter(of, () => writeFileSync(file, readFileSync(file, 'utf8').replace('Tools of', `Tools ${round} of`)))
  }
  const workflows = [...(await workflowsOf(of)).values()].slice(0, EDITS)
  for (const { id } of workflows)
    await request('PATCH', `${daemon.orchestrator}/workflows/${id}`, { poll_interval_secs: 61 })
  await quiet(daemon)
}

async function cost(program?: string[]): Promise<Cost> {
  const begin = performance.now()
  const of = await fleet(COUNT, program)
  const made = performance.now() - begin
  const before = core(of)
  const took = await timed(() => work(of))
  const [spent, busy] = [core(of) - before, resident(of)]
  await sleep(REST_MS)
  const rest = resident(of)
  await of.daemon.close()
  return { made, took, core: spent, busy, rest }
}

const rounds = { with: [] as Cost[], without: [] as Cost[] }
for (let round = 0; round < ROUNDS; round++) {
  rounds.with.push(await cost())
  rounds.without.push(await cost(WITHOUT))
}
const of = (name: keyof Cost) => ({
  ours: median(rounds.with.map((each) => each[name])),
  floor: median(rounds.without.map((each) => each[name])),
})
const told = `over ${COUNT}, beside one without the flags that keep its heap small`
compare({ what: `a fleet is made ${told}`, ...of('made'), unit: 'ms', bound: null })
compare({ what: `passes, commits and changes by hand ${told}`, ...of('took'), unit: 'ms', bound: null })
compare({ what: `of a core, for the same ${told}`, ...of('core'), unit: 'ms', bound: null })
compare({ what: `resident memory after it ${told}`, ...of('busy'), unit: 'MiB', bound: 1 })
compare({ what: `resident memory at rest ${told}`, ...of('rest'), unit: 'MiB', bound: 1 })
within(`resident memory at rest over ${COUNT}, without any of these flags`, of('rest').floor, 160, 'MiB')
conclude()
