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
