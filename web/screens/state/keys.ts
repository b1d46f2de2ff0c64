/** Keys of the state screen. */
export const KEYS = {
  plan: { keys: 'p', does: 'Plan a source' },
  revert: { keys: 'r', does: 'Revert to last applied' },
  accept: { keys: 'c', does: 'Accept into the manifest' },
  suspend: { keys: 's', does: 'Suspend' },
  equal: { keys: 'm', does: 'Show fields in sync' },
  back: { keys: 'Esc', does: 'Back to the tree' },
} as const
