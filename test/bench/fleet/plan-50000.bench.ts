// A plan of 50,000 manifests that finds nothing to do, beside reading, parsing and validating them.
// By name only: it takes minutes to make so many.
import { compare } from '../report.ts'
import { measure } from './noop-plan.ts'

const { cold, warm, floor } = await measure(50_000, 1)
compare({ what: 'no-op plan of 50,000 manifests', ours: cold, floor, unit: 'ms', bound: 3 })
compare({ what: 'no-op plan of 50,000, warm beside cold', ours: warm, floor: cold, unit: 'ms', bound: 0.3 })
