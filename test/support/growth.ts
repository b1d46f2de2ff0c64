// Growth as a ratio, which does not depend on the machine.

const ROUNDS = 5
const REPEATS = 3

/** Minimum CPU time in microseconds. */
function best(work: () => unknown): number {
  let least = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, user + system)
  }
  return least
}

/** Ratio of CPU time for four times the input: 4 if linear, 16 if quadratic. */
export function growth<T>(input: (size: number) => T, size: number, work: (input: T) => unknown): number {
  const [small, large] = [input(size), input(4 * size)]
  work(small)
  // Allows one millisecond of measurement error.
  const ratio = () => (best(() => work(large)) + 1000) / (best(() => work(small)) + 1000)
  // Garbage collection affects single measurements only.
  return Math.min(...Array.from({ length: REPEATS }, ratio))
}
