// Passes of a real daemon over 20,000 manifests of which none changed, one resource listed out of as many, and what the
// daemon holds in memory.
import { fleet, holds, longestBlock, note, passAfter, type Fleet } from './large-fleet.ts'
import { compare, conclude, median, timed, within } from '../report.ts'

const ROUNDS = 5

async function noopPasses(of: Fleet): Promise<void> {
  const lengths: number[] = []
  await longestBlock(of)
  for (let round = 0; round < ROUNDS; round++) lengths.push(await passAfter(of, () => note(of)))
  within(`no-op pass of ${of.count}`, median(lengths), 600, 'ms')
  within(`longest block of the loop in no-op passes of ${of.count}`, await longestBlock(of), 50, 'ms')
}

/** Median of milliseconds for one resource of the inventory. */
async function oneListed({ daemon }: Fleet): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 300; round++)
    times.push(await timed(() => daemon.get(`${daemon.controller}/resources?limit=1`)))
  return median(times.slice(100))
}

const few = await fleet(1000)
const listedOfFew = await oneListed(few)
await few.daemon.close()

const many = await fleet(20_000)
await noopPasses(many)
compare({
  what: 'GET /resources?limit=1 of 20,000, next to 1,000',
  ours: await oneListed(many),
  floor: listedOfFew,
  unit: 'ms',
  bound: 1.5,
})
await holds(many, 350)
await many.daemon.close()
conclude()
