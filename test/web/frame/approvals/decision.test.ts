import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { AlikeDecision } from '../../../../schemas/tools/approval.ts'
import { alikeDecisions, refusalOf } from '../../../../web/frame/approvals/decision.ts'

const id = (number: number) => `5f0c1c1e-8f0d-4b8e-9d5c-${number.toString().padStart(12, '0')}`

describe('a decision on identical requests', () => {
  test('is accepted by the daemon and has no scope', () => {
    const [decision] = alikeDecisions('approve', [id(1)], { scope: 'once' })
    expect(decision).toEqual({ verdict: 'approve', ids: [id(1)] })
    expect(Value.Check(AlikeDecision, decision)).toBe(true)
  })

  test('carries the reason of a denial', () => {
    expect(alikeDecisions('deny', [id(1)], { reason: 'never main' })).toMatchObject([{ reason: 'never main' }])
  })

  test('is sent in parts that the daemon accepts', () => {
    const ids = Array.from({ length: 401 }, (_, index) => id(index))
    const parts = alikeDecisions('approve', ids, {})
    expect(parts.map((part) => Value.Check(AlikeDecision, part))).toEqual([true, true, true])
    expect(parts.flatMap((part) => part.ids)).toEqual(ids)
    // A part is as large as the daemon accepts.
    const [largest] = parts
    expect(Value.Check(AlikeDecision, { ...largest!, ids: [...largest!.ids, id(999)] })).toBe(false)
  })

  test('reports how many were decided beside a refusal', () => {
    const problem = { status: 409, code: 'already-decided', detail: 'denied by jon' }
    const refused = { id: id(1), approval: null, problem }
    expect(refusalOf([{ ...refused, problem: null }, refused])).toEqual({
      ...problem,
      detail: '1 decided, 1 refused: denied by jon',
    })
    expect(refusalOf([{ ...refused, problem: null }])).toBeNull()
  })
})
