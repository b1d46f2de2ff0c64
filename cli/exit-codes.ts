// How a command ends, as a number: the closed list that scripts may rely on.

/** `basic` is what the contract promises always; the finer ones need `--exit-codes=extended`. */
export const EXIT = {
  ok: 0,
  error: 1,
  changes: 2,
  driftOnly: 10,
  pruneGuard: 11,
  policyDenied: 12,
  invalid: 13,
  conflict: 14,
  timeout: 15,
  usage: 64,
} as const
export type ExitName = keyof typeof EXIT

export const EXIT_MODES = ['basic', 'extended'] as const
export type ExitMode = (typeof EXIT_MODES)[number]

/** The number for an outcome. In the basic mode drift alone is no error, and every failure is 1. */
export function exitCode(outcome: ExitName, mode: ExitMode = 'basic'): number {
  const code = EXIT[outcome]
  if (mode === 'extended' || code < EXIT.driftOnly || outcome === 'usage') return code
  return outcome === 'driftOnly' ? EXIT.ok : EXIT.error
}
