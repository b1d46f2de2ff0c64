// What a test has tried, in figures: `npm run campaign -- attack` prints them all at its end.
import { appendFileSync } from 'node:fs'

/** Notes how many of something were tried: `counted('frames: sequences of two', 784)`. Equal names are added up. */
export function counted(name: string, count: number): void {
  const file = process.env.SVC_TEST_COUNTS
  if (file) appendFileSync(file, `${JSON.stringify({ name, count })}\n`)
  else console.log(`${name}: ${count}`)
}
