import { readConfig } from '../../../../platform/core/config.ts'
import { ClosedSet } from '../../../../platform/files/closed-set.ts'

/** Of a daemon with default settings. */
export const closedUnder = (home: string): ClosedSet => new ClosedSet(readConfig({ HOME: home }))
