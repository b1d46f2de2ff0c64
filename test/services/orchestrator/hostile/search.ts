// Looks for a request with a fault, and tells the least one that it finds together with what plays it again.
import fc from 'fast-check'
import type { Fuzzed } from './requests.ts'

const DAY_MS = 86_400_000
/** Within the time that a test has, also where what was found is still shrinking. */
const LONGEST_MS = 50_000

/** Where a search begins: a seed, and in it the one request that was found (`17:0:3`), or all. */
export interface Start {
  seed: number
  path?: string
}

/** What `SVC_TEST_HOSTILE` says (`20779` or `20779/17:0:3`); without it the seed of the day. */
export function startOf(text: string | undefined): Start {
  if (!text) return { seed: Math.floor(Date.now() / DAY_MS) }
  const [, seed, path] = /^(-?\d+)(?:\/([\d:]+))?$/.exec(text) ?? []
  if (seed === undefined)
    throw new Error(`SVC_TEST_HOSTILE is "${text}"; it should be a seed, or seed/path: 20779/17:0:3`)
  return { seed: Number(seed), ...(path === undefined ? {} : { path }) }
}

/**
 * Tries `count` requests one after the other. A fault is told in words by `faultOf`; the search ends with the least
 * request that has one, and throws.
 */
export async function searchFault(
  requests: fc.Arbitrary<Fuzzed>,
  { seed, path }: Start,
  count: number,
  faultOf: (request: Fuzzed) => Promise<string | null>,
): Promise<void> {
  const property = fc.asyncProperty(requests, async (request) => {
    const fault = await faultOf(request)
    if (fault !== null) throw new Error(fault)
  })
  const found = await fc.check(property, {
    seed,
    numRuns: count,
    interruptAfterTimeLimit: LONGEST_MS,
    markInterruptAsFailure: true,
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  })
  if (!found.failed) return
  const request = found.counterexample?.[0]
  if (!request) throw new Error(`seed ${seed}: only ${found.numRuns} of ${count} requests in ${LONGEST_MS} ms`)
  throw new Error(
    [
      `${told(request)}: ${(found.errorInstance as Error).message}`,
      `the least of ${found.numShrinks + 1} requests with a fault, after ${found.numRuns - 1} without one; again:`,
      `SVC_TEST_HOSTILE=${seed}/${found.counterexamplePath} sends it alone, SVC_TEST_HOSTILE=${seed} all of this seed`,
    ].join('\n'),
  )
}

/** A request on one line, cut in the middle. */
function told({ operation, segment, query, body = '' }: Fuzzed): string {
  const where = typeof segment === 'string' ? segment.slice(0, 40) : `one of ${segment.of}`
  const what = body.length <= 300 ? body : `${body.slice(0, 200)} (… ${body.length} characters …) ${body.slice(-80)}`
  return `${operation.method} ${operation.path.replace(/:\w+/g, where)}${query} ${what}`
}
