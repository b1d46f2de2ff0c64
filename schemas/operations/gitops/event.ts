// Events of `GET /events` and of an apply; never contain secrets.
import * as Type from 'typebox'
import { Plan } from '../../plan.ts'
import { Condition, Drift } from '../../resource.ts'
import { Run, RunStep } from '../../run.ts'

export const ControllerEvent = Type.Union([
  Type.Object({ type: Type.Literal('plan'), source: Type.String(), plan: Plan }),
  Type.Object({ type: Type.Literal('step'), run_id: Type.String(), step: RunStep }),
  Type.Object({ type: Type.Literal('run'), run: Run }),
  Type.Object({ type: Type.Literal('drift'), drift: Drift }),
  Type.Object({
    type: Type.Literal('condition'),
    kind: Type.String(),
    name: Type.String(),
    condition: Condition,
  }),
])
export type ControllerEvent = Type.Static<typeof ControllerEvent>
