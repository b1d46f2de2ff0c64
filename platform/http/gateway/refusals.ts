// Refusals of callers that are not identified.
import { forbidden, Problem } from '../../core/problem.ts'

export const noOrigin = (): Problem =>
  forbidden(
    'a page that writes must name its Origin: send the request from a page of this daemon, without a proxy that removes it',
  )

export const signedOut = (): Problem =>
  new Problem(401, 'a page must sign in before it writes: POST /api/session with a token', { code: 'token-missing' })

export const ended = (): Problem =>
  new Problem(401, 'the session is unknown or has ended, with its token or after its time: sign in again', {
    code: 'session-ended',
  })

export const keyMissing = (): Problem =>
  new Problem(401, 'the cookie of a session needs its key: send X-Svc-Session-Key, or sign in again in this tab', {
    code: 'session-key-missing',
  })

export const forwardedAgent = (): Problem =>
  forbidden(
    'through a proxy an agent does not open this address, which is closed to agents of other users: use the port of the service',
  )

export const gone = (): Problem =>
  new Problem(
    401,
    'the connection was closed before its user was identified: keep it open until the response arrives',
    {
      code: 'token-missing',
    },
  )

export const strangerProblem = (uid: number, hasToken: boolean): Problem =>
  new Problem(
    401,
    `without a ${hasToken ? 'known token' : 'token'} this daemon accepts writes only from its own user (uid ${process.getuid?.()}), not from uid ${uid}: have its user ` +
      'create one with "svc token create NAME", then send Authorization: Bearer <token> (commands: SVC_TOKEN)',
    { code: hasToken ? 'token-unknown' : 'token-missing' },
  )
