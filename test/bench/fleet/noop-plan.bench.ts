// Plans without changes. Floor: reading, parsing and validating the manifests.
import { compare } from '../report.ts'
import { measure } from './noop-plan.ts'

const ROUNDS = 11

const small = await measure(1250, ROUNDS)
const large = await measure(5000, ROUNDS)
compare({ what: 'no-op plan of 5,000 manifests', ours: large.cold, floor: large.floor, unit: 'ms', bound: 3 })
compare({ what: 'no-op plan of 1,250 manifests', ours: small.cold, floor: small.floor, unit: 'ms', bound: 3 })
compare({ what: 'no-op plan, 5,000 vs 1,250', ours: large.cold, floor: small.cold, unit: 'ms', bound: 7 })
compare({ what: 'no-op plan of 5,000, warm vs cold', ours: large.warm, floor: large.cold, unit: 'ms', bound: 0.3 })
