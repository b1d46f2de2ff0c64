import fc from 'fast-check'
import type { Fuzzed } from './requests.ts'

const DAY_MS = 86_400_000
/** Keeps a search, with shrinking, within the time-out of a test. */
const LONGEST_MS = 50_000

/** `path`, such as `17:0:3`, selects one request. */
export interface Start {
  seed: number
  path?: string
}

/** Parses `20779` or `20779/17:0:3`; the default is the seed of the day. */
export function startOf(text: string | undefined): Start {
  if (!text) return { seed: Math.floor(Date.now() / DAY_MS) }
  const [, seed, path] = /^(-?\d+)(?:\/([\d:]+))?$/.exec(text) ?? []
  if (seed === undefined)
    throw new Error(`SVC_TEST_HOSTILE: expected a seed or seed/path such as 20779/17:0:3; got "${text}"`)
  return { seed: Number(seed), ...(path === undefined ? {} : { path }) }
}

/** Tries `count` requests. Throws with the smallest one for which `faultOf` returns a text. */
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
      `${showRequest(request)}: ${(found.errorInstance as Error).message}`,
      `the smallest of ${found.numShrinks + 1} faulty requests, after ${found.numRuns - 1} good ones; to repeat:`,
      `SVC_TEST_HOSTILE=${seed}/${found.counterexamplePath} sends it alone, SVC_TEST_HOSTILE=${seed} sends the whole seed`,
    ].join('\n'),
  )
}

function showRequest({ operation, segment, query, body = '' }: Fuzzed): string {
  const where = typeof segment === 'string' ? segment.slice(0, 40) : `one of ${segment.of}`
  const what = body.length <= 300 ? body : `${body.slice(0, 200)} (… ${body.length} characters …) ${body.slice(-80)}`
  return `${operation.method} ${operation.path.replace(/:\w+/g, where)}${query} ${what}`
}
