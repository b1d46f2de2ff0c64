/** Keys of the plan screen. */
export const KEYS = {
  apply: { keys: 'a', does: 'Apply the plan' },
  applyAll: { keys: 'A', does: 'Apply with all that is on hold' },
  again: { keys: 'p', does: 'Plan again' },
  back: { keys: 'Esc', does: 'Back to the source' },
} as const
