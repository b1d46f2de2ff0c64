// The check of every text from outside: PostgreSQL and processes reject NUL, strict JSON parsers half a surrogate pair.

export interface TextFault {
  code: 'nul-character' | 'lone-surrogate'
  /** Completes `contains …`. */
  seen: string
  /** UTF-16 units from 0. */
  at: number
}

const UNSTORABLE = /\0|\p{Surrogate}/u
/** Some hundred times faster than the pattern. TypeScript's library does not know `isWellFormed` yet. */
const isStorable = (text: string): boolean =>
  !text.includes('\0') && (text as string & { isWellFormed(): boolean }).isWellFormed()
const ALL_UNSTORABLE = /\0|\p{Surrogate}/gu
const REPLACEMENT = '\uFFFD'

export function textFault(text: string): TextFault | null {
  if (isStorable(text)) return null
  const at = text.search(UNSTORABLE)
  return text.charCodeAt(at) === 0
    ? { code: 'nul-character', seen: 'a NUL character', at }
    : { code: 'lone-surrogate', seen: 'half of a surrogate pair', at }
}

export interface Replaced<T> {
  value: T
  replaced: number
}

/**
 * Replaces NUL and lone surrogates by U+FFFD in all texts and field names. Parts without them keep their identity.
 * Recursive: the caller bounds the depth.
 */
export function replaceUnstorable<T>(whole: T): Replaced<T> {
  let replaced = 0
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string')
      return isStorable(value) ? value : value.replace(ALL_UNSTORABLE, () => (replaced++, REPLACEMENT))
    if (typeof value !== 'object' || value === null) return value
    const before = replaced
    if (Array.isArray(value)) {
      const list = value.map(clean)
      return replaced === before ? value : list
    }
    const members = Object.entries(value).map(([name, member]) => [clean(name), clean(member)] as const)
    return replaced === before ? value : Object.fromEntries(members)
  }
  return { value: clean(whole) as T, replaced }
}

/** JSON that strict parsers read: half of a surrogate pair becomes U+FFFD. */
export const strictJson = (value: unknown): string => withoutHalves(JSON.stringify(value))

/** `strictJson` for people: two spaces per level. */
export const indentedJson = (value: unknown): string => withoutHalves(JSON.stringify(value, null, 2))

const withoutHalves = (text: string): string =>
  text?.includes('\\ud') ? text.replace(LONE_ESCAPES, `$1${REPLACEMENT}`) : text

/** `JSON.stringify` escapes only lone surrogates, in lower case. An even number of backslashes is text. */
const LONE_ESCAPES = /((?<!\\)(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g
