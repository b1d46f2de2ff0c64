// What an observation says of a resource: whether it is healthy, and whether it has drifted.
import type { Observed, Reconciler } from '../reconciler.ts'
import type { Verdict } from './conditions.ts'

export function verdictsOn(reconciler: Reconciler, observed: Observed<any, any> | null, drifted: boolean): Verdict[] {
  return [observed ? healthVerdict(reconciler, observed) : MISSING, drifted ? DRIFTED : IN_SYNC]
}

const MISSING: Verdict = {
  type: 'Ready',
  status: 'False',
  reason: 'Missing',
  message: 'the live resource does not exist',
}

/** Of a resource that could not be observed: whether it drifted stays as it was last seen. */
export const unreachableVerdict = (why: string): Verdict => ({
  type: 'Ready',
  status: 'Unknown',
  reason: 'Unreachable',
  message: `it could not be observed: ${why}`,
})

const IN_SYNC: Verdict = { type: 'Drifted', status: 'False', reason: 'InSync', message: 'live is as it was applied' }

const DRIFTED: Verdict = {
  type: 'Drifted',
  status: 'True',
  reason: 'DriftFound',
  message: 'live differs from what was applied; svc drift says where',
}

function healthVerdict(reconciler: Reconciler, { live }: Observed<any, any>): Verdict {
  const { status, message } = reconciler.health(live)
  switch (status) {
    case 'Ready':
      return { type: 'Ready', status: 'True', reason: 'Healthy', message }
    case 'Progressing':
      return { type: 'Ready', status: 'Unknown', reason: 'Progressing', message }
    case 'Degraded':
      return { type: 'Ready', status: 'False', reason: 'Degraded', message }
  }
}
