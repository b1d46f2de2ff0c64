import { replaceUnstorable } from '../../../schemas/validation/text.ts'
import { payloadPathOf, payloadValue } from '../../../schemas/workflow/payload-paths.ts'
import { variablesIn } from '../../../schemas/workflow/template.ts'

/** Values of the variables `payload.<path>` in the template; a missing member has none. `json` is valid. */
export function payloadVariables(template: string, json: string): Record<string, string> {
  const used = variablesIn(template).flatMap((variable) => {
    const path = payloadPathOf(variable)
    return path === null ? [] : [{ variable, path }]
  })
  if (used.length === 0) return {}
  const payload: unknown = JSON.parse(json)
  const values = used.flatMap(({ variable, path }) => {
    const value = payloadValue(payload, path)
    return value === undefined ? [] : [[variable, textOf(value)] as const]
  })
  return replaceUnstorable(Object.fromEntries(values)).value
}

function textOf(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
