// A plan that finds nothing to do, next to the floor, and how it grows with the number of manifests.
import { compare, conclude } from '../report.ts'
import { measure } from './noop-plan.ts'

const small = await measure(1250, 15)
const large = await measure(5000, 15)
compare({ what: 'no-op plan of 5,000 manifests, cold', ours: large.cold, floor: large.floor, unit: 'ms', bound: 1.5 })
compare({ what: 'no-op plan of 1,250 manifests, cold', ours: small.cold, floor: small.floor, unit: 'ms', bound: 2 })
compare({
  what: 'growth of the cold plan from 1,250 to 5,000',
  ours: large.cold,
  floor: small.cold,
  unit: 'ms',
  bound: 4.5,
})
compare({
  what: 'warm plan of 5,000 unchanged files, next to the cold one',
  ours: large.warm,
  floor: large.cold,
  unit: 'ms',
  bound: 0.07,
})
conclude()
