import * as Type from 'typebox'
import { ON_RESTART } from '../workflow/members.ts'
import { namedObject, nullableText, orNull } from '../shapes.ts'

export const InFlight = namedObject('InFlight', {
  id: Type.String({ description: 'Id of the prompt' }),
  kind: Type.Enum(['initial', 'message', 'dispatch', 'clear']),
  agent_id: Type.String(),
  agent: nullableText,
  dispatch_id: nullableText,
  workflow_id: nullableText,
  workflow: nullableText,
  on_restart: orNull(
    Type.Enum([...ON_RESTART]),
    'Effect of a daemon restart; null: not a dispatch, it continues with its agent',
  ),
  since: nullableText,
})
export type InFlight = Type.Static<typeof InFlight>

export const DrainInput = namedObject('DrainInput', {
  for_secs: Type.Integer({
    minimum: 0,
    maximum: 300,
    description: 'Seconds during which no new work is accepted; 0 resumes at once',
  }),
})

export const DrainState = namedObject('DrainState', { draining: Type.Boolean(), until: nullableText })
export type DrainState = Type.Static<typeof DrainState>
