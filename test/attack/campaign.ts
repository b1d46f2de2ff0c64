// Reads SVC_TEST_CAMPAIGN. `brief`, for continuous integration: a tenth of the repetitions and every fifth enumerated
// point. The first point changes daily and is printed; `brief@2` repeats it.

const BRIEF_STRIDE = 5
const DAY_MS = 86_400_000

const [, brief, asked] = /^(brief)(?:@([0-4]))?$/.exec(process.env.SVC_TEST_CAMPAIGN ?? '') ?? []
if (process.env.SVC_TEST_CAMPAIGN && !brief)
  throw new Error(
    `SVC_TEST_CAMPAIGN: expected "brief" or "brief@0" to "brief@4"; got "${process.env.SVC_TEST_CAMPAIGN}"`,
  )

/** Number of repetitions: `full`, or a tenth of it but at least `least`. */
export const times = (full: number, least = 1): number =>
  brief ? Math.min(full, Math.max(least, Math.ceil(full / 10))) : full

/** Enumerated points to use: `begin`, `begin + every`, and so on. */
export const points = brief
  ? { begin: asked === undefined ? Math.floor(Date.now() / DAY_MS) % BRIEF_STRIDE : Number(asked), every: BRIEF_STRIDE }
  : { begin: 0, every: 1 }

export const chosen = <T>(all: readonly T[]): T[] => all.filter((_each, at) => at % points.every === points.begin)

export const ofPoints = brief ? ` (every ${points.every}th, from ${points.begin + 1} on: brief@${points.begin})` : ''
