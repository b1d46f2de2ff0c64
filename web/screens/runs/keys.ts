/** Keys of the runs screen. */
export const KEYS = {
  next: { keys: 'j', does: 'Next run' },
  previous: { keys: 'k', does: 'Previous run' },
  rollBack: { keys: 'b', does: 'Roll back to this run' },
  back: { keys: 'Esc', does: 'Back to the list' },
} as const
