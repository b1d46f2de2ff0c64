/** `time`: milliseconds since 1970. */
export function isOlder(path: string, time: number): boolean
