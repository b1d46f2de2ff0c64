/** Keys of the inbox, with their words in the list of keys and on buttons. */
export const KEYS = {
  next: { keys: 'j', does: 'Next request' },
  previous: { keys: 'k', does: 'Previous request' },
  open: { keys: 'Enter', does: 'Open the request' },
  filter: { keys: 'f', does: 'Filter' },
  showNew: { keys: '.', does: 'Show new requests' },
  back: { keys: 'Esc', does: 'Back to the list' },
} as const
