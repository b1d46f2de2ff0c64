/** Keys of the agents screen. */
export const KEYS = {
  next: { keys: 'j', does: 'Next agent' },
  previous: { keys: 'k', does: 'Previous agent' },
  open: { keys: 'Enter', does: 'Open the agent' },
  interrupt: { keys: 'i', does: 'Interrupt the turn' },
  earlierMark: { keys: '[', does: 'Previous error, request or edit' },
  laterMark: { keys: ']', does: 'Next error, request or edit' },
  test: { keys: 't', does: 'Test a call' },
  back: { keys: 'Esc', does: 'Back to the list' },
} as const
