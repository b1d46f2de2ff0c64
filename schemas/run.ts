import * as Type from 'typebox'
import { Diagnostic } from './diagnostic.ts'
import { ACTIONS, PlanSummary } from './plan.ts'
import { namedObject, nullableText } from './shapes.ts'

export const STEP_STATUSES = ['intended', 'done', 'failed', 'deferred', 'blocked'] as const

export const RunStep = namedObject('RunStep', {
  kind: Type.String(),
  name: Type.String(),
  action: Type.Enum([...ACTIONS]),
  status: Type.Enum([...STEP_STATUSES], {
    description: 'deferred: waits until its agent is idle; blocked: waits for a dependency',
  }),
  live_id: nullableText,
  error: nullableText,
  started_at: nullableText,
  ended_at: nullableText,
})
export type RunStep = Type.Static<typeof RunStep>

export const Run = namedObject('Run', {
  id: Type.String(),
  source: Type.String(),
  revision: nullableText,
  status: Type.Enum(['running', 'succeeded', 'failed', 'waiting', 'interrupted']),
  actor: Type.String(),
  started_at: Type.String(),
  ended_at: nullableText,
  steps: Type.Array(RunStep),
  summary: PlanSummary,
  error: nullableText,
  diagnostics: Type.Array(Diagnostic, { description: 'Diagnostics of the manifests of the run' }),
})
export type Run = Type.Static<typeof Run>
