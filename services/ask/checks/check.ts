// A check looks at the user's environment, says what it asks when something needs attention, and acts on the answer.

/** What a check found. */
export interface Finding {
  /** As the trigger tells it. */
  result: Record<string, unknown>
  /** Null when all is well. */
  question: { title: string; message: string } | null
}

export interface Check {
  /** Its name on the wire. */
  type: string
  run(): Promise<Finding>
  /** Acts on a yes; returns what was done. Throws when it could not be done. */
  act(): Promise<string>
}
