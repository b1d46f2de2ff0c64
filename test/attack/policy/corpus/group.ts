// The form of the corpus: one policy, what it has to refuse, and what it has to let pass.
import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'

/** A Bash command, or a tool with its input. `{app}`, `{outside}` and `{home}` stand for folders of the test. */
export type Request = string | [tool: string, input: unknown]

export interface Group {
  title: string
  policy: ToolPolicy
  refused?: Request[]
  passed?: Request[]
  /** `/` among the additional directories: only the policy's own entries are tried. */
  open?: boolean
}

export const allow = (...tools: string[]): ToolPolicy => ({ mode: 'allow_list', tools })
export const deny = (...tools: string[]): ToolPolicy => ({ mode: 'deny_list', tools })
