import type { Change } from '../../schemas/plan.ts'
import { stepsOf } from '../../schemas/members/member-path.ts'

/** Null unless one element of a keyed list is added or removed. */
export function elementLine({ path, before, after }: Pick<Change, 'path' | 'before' | 'after'>): ElementLine | null {
  const last = stepsOf(path).at(-1)
  if (!last?.isElement || (before === null) === (after === null)) return null
  const value = after ?? before
  const sign = before === null ? '+' : '-'
  return { sign, text: `${sign} ${path}${value === last.key ? '' : `: ${JSON.stringify(value)}`}` }
}

export interface ElementLine {
  sign: '+' | '-'
  text: string
}

/** Null if the value has several lines. */
export function short(value: unknown): string | null {
  if (typeof value === 'string' && value.trimEnd().includes('\n')) return null
  return visible(value === undefined ? 'null' : JSON.stringify(value))
}

export function long(value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (typeof value === 'string') return value.replace(/\n$/, '').split('\n')
  if (Array.isArray(value))
    return value.map((entry) => `- ${typeof entry === 'string' ? entry : JSON.stringify(entry)}`)
  return JSON.stringify(value, null, 2).split('\n')
}

export const cut = (text: string, width: number) =>
  text.length > width ? `${text.slice(0, Math.max(1, Math.floor(width) - 1))}…` : text

/** Escapes control characters, which could drive the terminal. */
export function visible(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
