export interface Finding {
  /** Returned by POST /trigger. */
  result: Record<string, unknown>
  /** Null if nothing needs attention. */
  question: { title: string; message: string } | null
}

export interface Check {
  type: string
  run(): Promise<Finding>
  /** Called on a yes; returns a description of what was done. Throws on failure. */
  act(): Promise<string>
}
