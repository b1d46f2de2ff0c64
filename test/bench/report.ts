// To add a benchmark, write NAME.bench.ts below test/bench:
//
//   const { ours, floor } = await medians(11, { ours: () => timed(work), floor: () => timed(leastWork) })
//   compare({ what: 'a page of 50 runs', ours, floor, unit: 'ms', bound: 3 })
//
// `npm run bench` runs it, unless a line begins with "// By name only".
// The floor is the minimum work of any program, or a peer. The bound is a difference that a user notices, with room for
// a busy machine. The absolute limit of `within` is at least three times the usual value.

export interface Figure {
  what: string
  ours: number
  floor: number
  unit: string
  /** Highest ratio of ours to the floor; null to only print it. */
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

/** Sets exit code 1 if the bound is broken. */
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

export function within(what: string, value: number, limit: number, unit: string): void {
  const result = value <= limit ? 'ok' : 'BROKEN'
  report({ what, ours: format(value, unit), floor: '-', ratio: '-', bound: `at most ${format(limit, unit)}`, result })
}

export function print(what: string, value: number, unit: string): void {
  report({ what, ours: format(value, unit), floor: '-', ratio: '-', bound: '-', result: '-' })
}

function report(line: Line): void {
  const { what, ours, floor, ratio, bound, result } = line
  process.stdout.write(`${what}: ours ${ours}, floor ${floor}, ratio ${ratio}, bound ${bound}: ${result}\n`)
  if (result === 'BROKEN') process.exitCode = 1
  // For the table that scripts/bench.mjs prints.
  process.send?.(line)
}

/** Exits with 2: the benchmark cannot run on this machine. */
export function notMeasured(reason: string): never {
  process.stdout.write(`not measured: ${reason}\n`)
  process.exit(2)
}

/**
 * Calls each contender `rounds` times after a warm-up and returns its median. Every other round is in reverse order, so
 * that a busy machine slows all of them equally.
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

/** In milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function format(value: number, unit: string): string {
  return `${value.toFixed(value >= 100 ? 0 : 1)} ${unit}`
}
