// How the work of something grows with its input: a ratio of two measurements of one run, so that the machine cancels
// out.

const ROUNDS = 5
const REPEATS = 3

/** Processor time of the best of some runs, in microseconds. */
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

/** How many times longer the work takes for four times the input: 4 where it is linear, 16 where it is not. */
export function growth<T>(input: (size: number) => T, size: number, work: (input: T) => unknown): number {
  const [small, large] = [input(size), input(4 * size)]
  work(small)
  // A millisecond is what the measurement itself may be off by.
  const ratio = () => (best(() => work(large)) + 1000) / (best(() => work(small)) + 1000)
  // A collection of garbage falls into one of them now and then; a square is one every time.
  return Math.min(...Array.from({ length: REPEATS }, ratio))
}
