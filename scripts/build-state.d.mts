/** True if the file, or all of the folder, was last changed before `time` (milliseconds since 1970). */
export function isOlder(path: string, time: number): boolean
