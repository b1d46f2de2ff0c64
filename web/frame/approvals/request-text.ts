import type { Approval } from '../../../schemas/tools/approval.ts'

/** Fields that contain the main argument of a tool. */
const MAIN = ['command', 'file_path', 'url', 'path', 'pattern'] as const

export interface RequestText {
  /** Field that is shown as text; null if the whole input is shown as JSON. */
  field: string | null
  text: string
  /** The other fields as JSON; null without any. */
  rest: string | null
}

const json = (value: unknown): string => JSON.stringify(value, null, 2) ?? String(value)

/** The complete input of a tool: nothing is left out, so that nothing is approved unseen. */
export function requestText(input: unknown): RequestText {
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>
  const field = MAIN.find((name) => typeof fields[name] === 'string')
  if (field === undefined) return { field: null, text: json(input), rest: null }
  const { [field]: text, ...others } = fields
  return { field, text: text as string, rest: Object.keys(others).length === 0 ? null : json(others) }
}

/** The input with another main argument, for "Edit and approve". Throws a SyntaxError for JSON that is no object. */
export function editedInput(input: unknown, field: string | null, text: string): Record<string, unknown> {
  if (field !== null) return { ...(input as Record<string, unknown>), [field]: text }
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new SyntaxError('expected a JSON object, such as {"command": "ls"}')
  return parsed as Record<string, unknown>
}

export type Reason = { text: string } | { name: string }

/** Why a person decides: parts of svc and names of others. Null for a request to an earlier version. */
export function policyReason({ policy, tool_name }: Pick<Approval, 'policy' | 'tool_name'>): Reason[] | null {
  if (policy === null) return null
  const named: Reason[] = policy.name === null ? [] : [{ text: ' ' }, { name: policy.name }]
  const head: Reason[] = [{ text: `The policy of the ${policy.of}` }, ...named]
  switch (policy.field) {
    case 'mode':
      return [...head, { text: ' requires approval for every tool' }]
    case 'ask':
      return [...head, { text: ' requires approval for ' }, { name: policy.entry ?? tool_name }]
    case 'otherwise':
      return [...head, { text: ' has no entry that covers this call of ' }, { name: tool_name }]
  }
}
