// Names of sources that are applied once, in place of watched ones: `apply:` and the path on the machine of the caller.

export const APPLY_PREFIX = 'apply:'

/** Null for a watched source. */
export const appliedPath = (source: string): string | null =>
  source.startsWith(APPLY_PREFIX) ? source.slice(APPLY_PREFIX.length) : null
