/** Permissions in an agent's `may`; each guarded operation names one. */
export const GUARDS = ['approve', 'policy', 'agent', 'workflow', 'source', 'apply', 'shutdown', 'conductor'] as const
export type Guard = (typeof GUARDS)[number]
