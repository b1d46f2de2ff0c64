// Exit codes of all commands; part of the contract with scripts.

/** Codes from 10 on need `--exit-codes=extended`. */
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

/** Returns the exit code. In basic mode drift alone is 0 and every failure is 1. */
export function exitCode(outcome: ExitName, mode: ExitMode = 'basic'): number {
  const code = EXIT[outcome]
  if (mode === 'extended' || code < EXIT.driftOnly || outcome === 'usage') return code
  return outcome === 'driftOnly' ? EXIT.ok : EXIT.error
}
