import { measure } from './prof-plan.ts'
console.log(await measure(5000, 8))
