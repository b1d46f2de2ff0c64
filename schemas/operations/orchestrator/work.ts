import { DrainInput, DrainState, InFlight } from '../../agent/in-flight.ts'
import { list, operation } from '../operation.ts'

export const listInFlight = list('orchestrator.listInFlight', '/in-flight', {
  identity: 'none',
  summary: 'List work in progress, newest first',
  item: InFlight,
})

export const drain = operation('orchestrator.drain', 'POST /drain', {
  summary: 'Pause new work for a while; running work is finished',
  body: DrainInput,
  reply: { 200: DrainState },
  role: 'admin',
  guard: 'shutdown',
})
