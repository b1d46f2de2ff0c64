import type { Check } from '../../../schemas/operations/gitops/doctor.ts'
import { visible } from '../../output/print.ts'

export interface Finding {
  check: string
  /** `warn`: only some features will not work. */
  status: 'ok' | 'warn' | 'fail'
  detail: string
  fix: string | null
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail, fix: null })
export const bad = (status: 'warn' | 'fail', check: string, detail: string, fix: string): Finding => ({
  check,
  status,
  detail,
  fix,
})

const STATUSES = { ok: 'ok', warning: 'warn', fault: 'fail', unknown: 'warn' } as const

/** Of a check that also runs in the daemon. */
export const findingOf = ({ title, state, seen, next }: Check): Finding => ({
  check: visible(title),
  status: STATUSES[state],
  detail: visible(seen),
  fix: next,
})
