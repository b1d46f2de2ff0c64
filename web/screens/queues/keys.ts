/** Keys of the queues screen. */
export const KEYS = {
  next: { keys: 'j', does: 'Next queue' },
  previous: { keys: 'k', does: 'Previous queue' },
  redrive: { keys: 'R', does: 'Redrive all dead tasks' },
  again: { keys: '.', does: 'Read the queues again' },
  back: { keys: 'Esc', does: 'Back to the list' },
} as const
