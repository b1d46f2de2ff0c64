// A plan of 50,000 manifests that finds nothing to do, next to the floor. It takes minutes to make so many.
// By name only: it takes minutes to make so many.
import { compare, conclude } from '../report.ts'
import { measure } from './noop-plan.ts'

const { cold, warm, floor } = await measure(50_000, 1)
compare({ what: 'no-op plan of 50,000 manifests, cold', ours: cold, floor, unit: 'ms', bound: 2 })
compare({ what: 'no-op plan of 50,000 manifests, warm', ours: warm, floor, unit: 'ms', bound: null })
conclude()
