/** Keys of the drift screen. */
export const KEYS = {
  next: { keys: 'j', does: 'Next record' },
  previous: { keys: 'k', does: 'Previous record' },
  revert: { keys: 'r', does: 'Revert the field' },
  accept: { keys: 'c', does: 'Accept into the manifest' },
} as const
