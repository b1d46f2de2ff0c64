// Prints ours and its floor side by side, and fails the run when a bound is broken.

export interface Figure {
  what: string
  ours: number
  floor: number
  unit: string
  /** Most that ours may be, as a multiple of the floor; null where it is told alone. */
  bound: number | null
}

const broken: string[] = []

/** One line: both figures, their ratio, and the bound. */
export function compare({ what, ours, floor, unit, bound }: Figure): void {
  const ratio = ours / floor
  const holds = bound === null || ratio <= bound
  const verdict = bound === null ? '(no bound)' : `(at most ${bound}) ${holds ? 'ok' : 'BROKEN'}`
  process.stdout.write(
    `${what}: ${round(ours)} ${unit}, floor ${round(floor)} ${unit}, ratio ${ratio.toFixed(2)} ${verdict}\n`,
  )
  if (!holds) broken.push(what)
}

/** A figure held against an absolute limit. */
export function within(what: string, value: number, limit: number, unit: string): void {
  const verdict = value <= limit ? 'ok' : 'BROKEN'
  process.stdout.write(
    `${what}: ${round(value)} ${unit}, limit ${limit} ${unit}, ratio ${(value / limit).toFixed(2)} (at most 1) ${verdict}\n`,
  )
  if (value > limit) broken.push(what)
}

/** Sets the exit code of the process. */
export function conclude(): void {
  if (broken.length > 0) process.stdout.write(`bounds broken: ${broken.join('; ')}\n`)
  process.exitCode = broken.length > 0 ? 1 : 0
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

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1)
}
