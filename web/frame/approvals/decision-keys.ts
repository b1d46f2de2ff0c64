/** Keys that decide the request on screen. */
export const DECISION_KEYS = {
  approve: { keys: 'a', does: 'Approve once' },
  approveSession: { keys: 'A', does: 'Approve for this session', label: 'For this session' },
  edit: { keys: 'e', does: 'Edit and approve' },
  deny: { keys: 'd', does: 'Deny' },
} as const
