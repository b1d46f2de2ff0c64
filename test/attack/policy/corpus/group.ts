import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'

/** `{app}`, `{outside}` and `{home}` are folders of the test. */
export type Request = string | [tool: string, input: unknown]

export interface Group {
  title: string
  policy: ToolPolicy
  refused?: Request[]
  passed?: Request[]
  /** A person decides: where they reach cannot be determined. */
  asked?: Request[]
  /** Allows every directory, so that only the entries decide. */
  open?: boolean
}

export const allow = (...tools: string[]): ToolPolicy => ({ mode: 'allow_list', tools })
/** Refuses what cannot be determined too. */
export const deny = (...tools: string[]): ToolPolicy => ({ mode: 'deny_list', tools, otherwise: 'deny' })
