import { lstatSync, realpathSync } from 'node:fs'

/** Resolves links; returns a path that is missing or cannot be resolved unchanged. */
export function realOf(path: string): string {
  try {
    // Most do not exist, and an error costs ten times as much as this.
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? path : realpathSync.native(path)
  } catch {
    return path
  }
}
