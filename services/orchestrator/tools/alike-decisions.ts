// One decision for several pending requests for the same call. Each request keeps its own outcome.
import type { Actor } from '../../../platform/core/actor.ts'
import { write } from '../../../platform/database/database.ts'
import { conflict } from '../../../platform/core/problem.ts'
import { asProblem, problemMembers } from '../../../platform/http/problems.ts'
import type { AlikeDecision, AlikeResult, Approval } from '../../../schemas/tools/approval.ts'
import type { Approvals } from '../face.ts'
import type { Reading, RecordWorld } from '../record/world.ts'

/** Decides the requests in order. Throws 409 `not-alike`, and then decides none. */
export async function decideAlike(
  record: Pick<RecordWorld, 'tables' | 'log' | 'db' | 'audit'>,
  approvals: Pick<Approvals, 'approve' | 'deny'>,
  { ids, verdict, ...decision }: AlikeDecision,
  by: Actor,
): Promise<AlikeResult[]> {
  await refuseDifferent(record, ids)
  const decide = async (id: string): Promise<Approval> => {
    const approval = await approvals[verdict](id, decision, by)
    // As if each had been decided by a request of its own.
    await write(record.db, (transaction) =>
      record.audit.record(transaction, 'operation', `orchestrator.${verdict} ${id}`, [''], by),
    )
    return approval
  }
  const resultOf = (id: string): Promise<AlikeResult> =>
    decide(id).then(
      (approval) => ({ id, approval, problem: null }),
      (error: unknown) => {
        const { status, code, detail } = problemMembers(asProblem(error, by.requestId, record.log))
        return { id, approval: null, problem: { status, code, detail } }
      },
    )
  const results: AlikeResult[] = []
  for (const id of ids) results.push(await resultOf(id))
  return results
}

/** Unknown ids fail alone. */
async function refuseDifferent({ tables }: Reading, ids: readonly string[]): Promise<void> {
  const rows = await tables.approvals.list({ where: { id: [...ids] } })
  const [first] = rows
  const other = rows.find((row) => row !== first && (row.alike === null || row.alike !== first!.alike))
  if (other)
    throw conflict(
      `approvals ${first!.id} (${first!.tool_name}) and ${other.id} (${other.tool_name}) are not for the same call: they differ in ` +
        'tool, input, policy, directory or sandbox: ' +
        'decide each of them separately',
      'not-alike',
    )
}
