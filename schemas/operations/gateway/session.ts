import { SignedIn, SignIn, Whoami } from '../../gateway/session.ts'
import { operation } from '../operation.ts'

export const whoami = operation('gateway.whoami', 'GET /whoami', {
  identity: 'caller',
  summary: 'Show the subject, role and permissions of the caller',
  reply: { 200: Whoami },
})

export const createSession = operation('gateway.createSession', 'POST /session', {
  summary: 'Create a session of a browser from a token',
  guard: 'none',
  auth: 'open',
  body: SignIn,
  // Read from callers that are not identified.
  bodyLimit: 4096,
  reply: { 200: SignedIn },
  errors: [409, 413, 429],
})

export const deleteSession = operation('gateway.deleteSession', 'DELETE /session', {
  summary: 'End the session of the request',
  guard: 'none',
  role: 'viewer',
  reply: { 204: null },
  errors: [404, 409],
})
