import type { FastifyInstance } from 'fastify'
import { answer, implement } from '../../platform/http/implement.ts'
import * as operations from '../../schemas/operations/gateway/session.ts'
import type { Gateway } from '../../services/gateway/face.ts'

export function sessionRoutes(app: FastifyInstance, { whoami, sessions }: Gateway): void {
  // Before the body is read, so that an invalid body is answered with `auth-off` too.
  app.addHook('preParsing', async ({ routeOptions }) => {
    if (routeOptions.url === operations.createSession.path) sessions.requireTokens()
  })
  implement(app, operations.whoami, ({ actor }) => whoami(actor))
  implement(app, operations.createSession, async ({ body, actor, raw, setHeader }) => {
    const { signedIn, header } = await sessions.signIn(body.token, raw)
    // The audit names the holder of the token, or the agent that has it.
    if (actor.agent === undefined) Object.assign(actor, { actor: signedIn.subject, role: signedIn.role })
    setHeader('set-cookie', header)
    return signedIn
  })
  implement(app, operations.deleteSession, async ({ raw, setHeader }) => {
    await sessions.signOut(raw.session)
    setHeader('set-cookie', sessions.clearing(raw.cookieScope))
    return answer(204)
  })
}
