// What agents have in hand, and whether a daemon takes more.
import * as Type from 'typebox'
import { ON_RESTART } from '../workflow/members.ts'
import { namedObject, nullableText, orNull } from '../shapes.ts'

export const InFlight = namedObject('InFlight', {
  id: Type.String({ description: 'Of the prompt' }),
  kind: Type.Enum(['initial', 'message', 'dispatch', 'clear']),
  agent_id: Type.String(),
  agent: nullableText,
  dispatch_id: nullableText,
  workflow_id: nullableText,
  workflow: nullableText,
  on_restart: orNull(
    Type.Enum([...ON_RESTART]),
    'What becomes of it when the daemon restarts; null: it is no dispatch, and goes on with its agent',
  ),
  since: nullableText,
})
export type InFlight = Type.Static<typeof InFlight>

/** Body of `POST /drain`. */
export const DrainInput = namedObject('DrainInput', {
  for_secs: Type.Integer({
    minimum: 0,
    maximum: 300,
    description: 'How long no more work is taken; 0 takes work again at once',
  }),
})

export const DrainState = namedObject('DrainState', { draining: Type.Boolean(), until: nullableText })
export type DrainState = Type.Static<typeof DrainState>
