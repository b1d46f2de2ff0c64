export interface Finding {
  /** Returned by POST /trigger. */
  result: Record<string, unknown>
  /** Null if nothing needs attention. */
  question: { title: string; message: string } | null
}

export interface Check {
  type: string
  run(): Promise<Finding>
  /** Called if the answer is yes. Returns a description of the action; throws on failure. */
  act(): Promise<string>
}
