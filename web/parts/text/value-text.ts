import { isTree } from './field-changes.ts'

const isScalar = (value: unknown) => typeof value !== 'object' || value === null

/** Word of the page for a value that is not set, or for an empty list or object; null for any other value. */
export function absenceOf(value: unknown): 'not set' | 'none' | null {
  if (value === undefined || value === null) return 'not set'
  return typeof value === 'object' && Object.keys(value).length === 0 ? 'none' : null
}

/** A value of a manifest as text: strings unquoted, list entries and fields by line. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value
  if (value === undefined) return 'not set'
  if (Array.isArray(value))
    return value.length === 0
      ? 'none'
      : value.map((each) => (isScalar(each) ? valueText(each) : shortValue(each))).join('\n')
  if (isTree(value)) {
    const fields = Object.entries(value)
    return fields.length === 0 ? 'none' : fields.map(([name, each]) => `${name}: ${shortValue(each)}`).join('\n')
  }
  return String(value)
}

/** On one line, for lists of changes. A text of several lines is quoted, so that it cannot look like fields. */
export function shortValue(value: unknown): string {
  if (typeof value === 'string') return value === '' || value.includes('\n') ? JSON.stringify(value) : value
  if (Array.isArray(value) && value.every(isScalar))
    return value.length === 0 ? 'none' : value.map(shortValue).join(', ')
  return value === undefined ? 'not set' : JSON.stringify(value)
}
