// Every law, in the order in which a broken one is told.
import { driftIsRecorded, handsAreKept, onlyHandsLeaveDesired } from './drift.ts'
import { inventoryIsOwned, nothingLeftOver, onlyOne, unownedLives } from './inventory.ts'
import { faultsAreSaid, planIsEmpty, runsEnd } from './plan.ts'
import { keepsItsId, recordIsWhatRuns, startedForAReason, workIsRespected } from './processes.ts'
import { driftEndsWithItsResource, nothingOfOursIsDrift, recordsSayHowTheyEnded, recordsStay } from './records.ts'
import type { Law, Situation, Violation } from './situation.ts'

const LAWS: readonly Law[] = [
  unownedLives,
  recordIsWhatRuns,
  onlyOne,
  nothingLeftOver,
  keepsItsId,
  startedForAReason,
  workIsRespected,
  inventoryIsOwned,
  planIsEmpty,
  runsEnd,
  faultsAreSaid,
  onlyHandsLeaveDesired,
  handsAreKept,
  nothingOfOursIsDrift,
  driftIsRecorded,
  driftEndsWithItsResource,
  recordsSayHowTheyEnded,
  recordsStay,
]

export const violations = (situation: Situation): Violation[] => LAWS.flatMap((law) => law(situation))
