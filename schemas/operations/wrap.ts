import * as Type from 'typebox'
import { LaunchReply, LaunchRequest, WrapSession } from '../wrap/launch.ts'
import { list, one, operation, operations } from './operation.ts'

const SessionName = Type.Object({ name: Type.String({ minLength: 1 }) })

export const launch = operation('wrap.launch', 'POST /launch', {
  summary: 'Launch an agent program in a terminal session',
  guard: 'agent',
  body: LaunchRequest,
  reply: { 200: LaunchReply },
  errors: [422],
})

export const listSessions = list('wrap.listSessions', '/sessions', {
  identity: 'none',
  summary: 'List the sessions of the user’s tmux server, newest first',
  item: WrapSession,
})

export const getSession = one('wrap.getSession', '/sessions/:name', {
  identity: 'none',
  summary: 'Show a session',
  params: SessionName,
  item: WrapSession,
})

export const deleteSession = operation('wrap.deleteSession', 'DELETE /sessions/:name', {
  summary: 'End a session that svc launched',
  guard: 'agent',
  params: SessionName,
  reply: { 204: null },
  errors: [403, 404],
})

export const wrapOperations = operations(
  { service: 'wrap', port: 17005 },
  { launch, listSessions, getSession, deleteSession },
)
