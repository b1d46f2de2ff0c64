/** Keys of the workflows screen. */
export const KEYS = {
  next: { keys: 'j', does: 'Next workflow' },
  previous: { keys: 'k', does: 'Previous workflow' },
  run: { keys: 't', does: 'Run the workflow now' },
  back: { keys: 'Esc', does: 'Back to the list' },
} as const
