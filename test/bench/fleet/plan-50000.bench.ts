// By name only: creating 50,000 resources takes minutes.
import { compare } from '../report.ts'
import { measure } from './noop-plan.ts'

const { cold, warm, floor } = await measure(50_000, 1)
compare({ what: 'no-op plan of 50,000 manifests', ours: cold, floor, unit: 'ms', bound: 3 })
compare({ what: 'no-op plan of 50,000, warm vs cold', ours: warm, floor: cold, unit: 'ms', bound: 0.3 })
