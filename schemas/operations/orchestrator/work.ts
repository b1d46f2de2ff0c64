// Operations on the work in hand: what a stop would meet, and taking no more of it.
import { DrainInput, DrainState, InFlight } from '../../agent/in-flight.ts'
import { list, operation } from '../operation.ts'

export const listInFlight = list('orchestrator.listInFlight', '/in-flight', {
  summary: 'What agents have in hand, newest first, and what a restart does to it',
  item: InFlight,
})

export const drain = operation('orchestrator.drain', 'POST /drain', {
  summary: 'Take no more work for a while; what is in hand is finished',
  body: DrainInput,
  reply: { 200: DrainState },
  role: 'admin',
  guard: 'shutdown',
})
