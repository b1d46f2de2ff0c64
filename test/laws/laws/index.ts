import { driftIsRecorded, liveIsDesired, manualChangesAreKept } from './drift.ts'
import { inventoryIsOwned, noDuplicates, noLeftovers, unownedIsKept } from './inventory.ts'
import { faultsAreReported, planIsEmpty, runsEnd } from './plan.ts'
import { movesKeepTheId, processesMatchRecords, promptsComplete, restartsHaveAReason } from './processes.ts'
import { driftEndsWithItsResource, ownChangesAreNotDrift, recordsAreKept, resolutionsAreCorrect } from './records.ts'
import type { Law, Situation, Violation } from './situation.ts'

/** In the order of reports. */
const LAWS: readonly Law[] = [
  unownedIsKept,
  processesMatchRecords,
  noDuplicates,
  noLeftovers,
  movesKeepTheId,
  restartsHaveAReason,
  promptsComplete,
  inventoryIsOwned,
  planIsEmpty,
  runsEnd,
  faultsAreReported,
  liveIsDesired,
  manualChangesAreKept,
  ownChangesAreNotDrift,
  driftIsRecorded,
  driftEndsWithItsResource,
  resolutionsAreCorrect,
  recordsAreKept,
]

export const violations = (situation: Situation): Violation[] => LAWS.flatMap((law) => law(situation))
