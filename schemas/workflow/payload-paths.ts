// Dotted paths of JSON payloads, such as `pull_request.labels.0.name`.

const PATH = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/

export const isPayloadPath = (path: string): boolean => PATH.test(path)

/** Returns undefined if the payload has no such member. A number is the index of a list. */
export function payloadValue(payload: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<any>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? value[name] : undefined,
      payload,
    )
}

const PREFIX = 'payload.'

/** Path of a template variable `payload.<path>`; null for another variable. */
export function payloadPathOf(variable: string): string | null {
  const path = variable.startsWith(PREFIX) ? variable.slice(PREFIX.length) : ''
  return isPayloadPath(path) ? path : null
}
