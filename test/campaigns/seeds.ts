// `npm run campaign -- simulation --seeds 2000` sets SVC_TEST_SEEDS to "1-2000".
const [, first, last] = /^(\d+)-(\d+)$/.exec(process.env.SVC_TEST_SEEDS ?? '') ?? []

export const isWhole = first !== undefined

/** Seeds of SVC_TEST_SEEDS, or `brief` seeds. */
export function seedsOf(brief: number): number[] {
  const begin = Number(first ?? 1)
  return Array.from({ length: isWhole ? Number(last) - begin + 1 : brief }, (_, at) => begin + at)
}

/** Time-out in milliseconds. */
export const patience = (seeds: readonly number[]): number => 60_000 + seeds.length * 4000

/** Stops at the first error and adds its seed. */
export async function overSeeds(seeds: readonly number[], each: (seed: number) => Promise<void>): Promise<void> {
  for (const seed of seeds)
    await each(seed).catch((error: Error) => {
      throw new Error(`seed ${seed}: ${error.message} (repeat with --seeds 1 --first ${seed})`, { cause: error })
    })
}
