import * as Type from 'typebox'
import { ROLES } from '../access/token.ts'
import { GUARDS } from '../agent/guards.ts'
import { closedObject, namedObject, orNull } from '../shapes.ts'

/** Longer than any token. */
const LONGEST_TOKEN = 1024

export const SignIn = closedObject({
  token: Type.String({ minLength: 1, maxLength: LONGEST_TOKEN, description: 'API token' }),
})

export const SignedIn = namedObject('SignedIn', {
  key: Type.String({
    description:
      'Second part of the session, besides the cookie: header X-Svc-Session-Key, or first frame of /api/live',
  }),
  subject: Type.String(),
  role: Type.Enum([...ROLES]),
  expires_at: Type.String(),
})
export type SignedIn = Type.Static<typeof SignedIn>

export const Whoami = namedObject('Whoami', {
  subject: Type.String({ description: 'Actor that changes are recorded under' }),
  role: orNull(Type.Enum([...ROLES]), 'Null for an agent, which has permissions instead'),
  may: Type.Array(Type.Enum([...GUARDS]), { description: 'Guards that the caller passes' }),
  agent: orNull(Type.String(), 'Id of the agent whose process sent the request'),
})
export type Whoami = Type.Static<typeof Whoami>
