// Figures of a benchmark, on one line each: ours, the floor, their ratio and the bound.
//
// To add a benchmark, write one file NAME.bench.ts below test/bench:
//
//   const { ours, floor } = await medians(11, { ours: () => timed(work), floor: () => timed(leastWork) })
//   compare({ what: 'a page of 50 runs', ours, floor, unit: 'ms', bound: 3 })
//
// `npm run bench -- NAME` runs it, and so does `npm run bench` unless one of its lines begins with "// By name only".
// The floor is measured in the same run: the least work that any program has to do, or a peer. The bound leaves room for
// a busy machine and is a difference that a user notices. `within` is for limits that a user feels: a deadline, a blocked
// event loop, memory; the limit is at least three times the usual figure. What has no bound is printed.

export interface Figure {
  what: string
  ours: number
  floor: number
  unit: string
  /** Highest ratio of ours to the floor; null if it is only printed. */
  bound?: number | null
  /** Lowest ratio of ours to the floor, for rates. */
  least?: number
}

interface Line {
  what: string
  ours: string
  floor: string
  ratio: string
  bound: string
  result: '-' | 'ok' | 'BROKEN'
}

/** Prints ours beside the floor, and makes the process fail if the bound is broken. */
export function compare({ what, ours, floor, unit, bound = null, least }: Figure): void {
  const ratio = ours / floor
  const holds = (bound === null || ratio <= bound) && (least === undefined || ratio >= least)
  report({
    what,
    ours: format(ours, unit),
    floor: format(floor, unit),
    ratio: ratio.toFixed(2),
    bound: least !== undefined ? `at least ${least}` : bound !== null ? `at most ${bound}` : '-',
    result: bound === null && least === undefined ? '-' : holds ? 'ok' : 'BROKEN',
  })
}

/** Holds a figure against an absolute limit. */
export function within(what: string, value: number, limit: number, unit: string): void {
  const result = value <= limit ? 'ok' : 'BROKEN'
  report({ what, ours: format(value, unit), floor: '-', ratio: '-', bound: `at most ${format(limit, unit)}`, result })
}

/** Prints a figure that has no bound. */
export function print(what: string, value: number, unit: string): void {
  report({ what, ours: format(value, unit), floor: '-', ratio: '-', bound: '-', result: '-' })
}

function report(line: Line): void {
  const { what, ours, floor, ratio, bound, result } = line
  process.stdout.write(`${what}: ours ${ours}, floor ${floor}, ratio ${ratio}, bound ${bound}: ${result}\n`)
  if (result === 'BROKEN') process.exitCode = 1
  // To scripts/bench.mjs, for the table at the end of a run.
  process.send?.(line)
}

/** Ends a benchmark that cannot measure on this machine. */
export function notMeasured(reason: string): never {
  process.stdout.write(`not measured: ${reason}\n`)
  process.exit(2)
}

/**
 * Runs `contenders` in turn, `rounds` times each and once more before that to warm up, and returns the median of what
 * each returned. Every other round is in reverse order, so that a busy machine slows all of them down alike.
 */
export async function medians<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[]
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round <= rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await contenders[name]()
      if (round > 0) values[name].push(value)
    }
  return Object.fromEntries(names.map((name) => [name, median(values[name])])) as Record<Name, number>
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function format(value: number, unit: string): string {
  return `${value.toFixed(value >= 100 ? 0 : 1)} ${unit}`
}
