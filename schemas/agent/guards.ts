// What an agent may ask of the daemon only when its manifest says so.

/** Each guarded operation names one of these, and a manifest's `may` lists those that its agent may ask for. */
export const GUARDS = ['approve', 'policy', 'agent', 'workflow', 'source', 'apply', 'shutdown'] as const
export type Guard = (typeof GUARDS)[number]
