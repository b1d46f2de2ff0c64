// A plan that finds nothing to do, beside reading, parsing and validating the same manifests, and its growth with their
// number.
import { compare } from '../report.ts'
import { measure } from './noop-plan.ts'

const ROUNDS = 11

const small = await measure(1250, ROUNDS)
const large = await measure(5000, ROUNDS)
compare({ what: 'no-op plan of 5,000 manifests', ours: large.cold, floor: large.floor, unit: 'ms', bound: 3 })
compare({ what: 'no-op plan of 1,250 manifests', ours: small.cold, floor: small.floor, unit: 'ms', bound: 3 })
compare({ what: 'no-op plan, 5,000 beside 1,250', ours: large.cold, floor: small.cold, unit: 'ms', bound: 7 })
compare({ what: 'no-op plan of 5,000, warm beside cold', ours: large.warm, floor: large.cold, unit: 'ms', bound: 0.3 })
