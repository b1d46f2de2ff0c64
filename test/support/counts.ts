// Counts that `npm run campaign` prints at the end.
import { appendFileSync } from 'node:fs'

/** Adds a count: `counted('frames: sequences of two', 784)`. */
export function counted(name: string, count: number): void {
  const file = process.env.SVC_TEST_COUNTS
  if (file) appendFileSync(file, `${JSON.stringify({ name, count })}\n`)
  else console.log(`${name}: ${count}`)
}
