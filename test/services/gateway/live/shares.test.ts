import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../../../platform/core/actor.ts'
import { TestClock } from '../../../../platform/core/clock.ts'
import { noLog } from '../../../../platform/core/log/log.ts'
import { openDatabase } from '../../../../platform/database/database.ts'
import { openLive, type Live } from '../../../../services/gateway/live/live.ts'
import { createThings } from './stand.ts'

const db = openDatabase('sqlite::memory:')
let live: Live
beforeAll(async () => {
  await createThings(db)
  live = await openLive({ db, clock: new TestClock(), log: noLog }, [])
})
afterAll(() => db.destroy())

const callerOf = (actor: string, agent?: string): Actor => ({
  actor,
  requestId: 'r',
  endpoint: 'GET /live',
  ...(agent === undefined ? {} : { agent }),
})
const line = { send: () => true, close: () => undefined, bufferedBytes: 0 }

function open(caller: Actor): { end(): void } {
  live.admit(caller)
  return live.connect({ caller, actor: caller, admit: () => null, renew: async (actor) => actor }, line)
}

const refusal = { status: 429, code: 'limit-reached' }

test('leaves sockets to others when one caller has its share', () => {
  const sockets = Array.from({ length: 100 }, (_, at) => open(callerOf(`agent:renamed-${at}`, 'one')))
  expect(() => open(callerOf('agent:ann', 'one'))).toThrow(
    expect.objectContaining({ ...refusal, message: expect.stringContaining('agent:ann has reached the limit of 100') }),
  )
  sockets.push(open(callerOf('mira')))
  sockets[0]!.end()
  sockets.push(open(callerOf('agent:ann', 'one')))
  for (const socket of sockets) socket.end()
})

test('limits the sockets of all callers', () => {
  const sockets = Array.from({ length: 500 }, (_, at) => open(callerOf(`caller-${at}`)))
  expect(() => open(callerOf('mira'))).toThrow(
    expect.objectContaining({
      ...refusal,
      message: expect.stringContaining('the daemon has reached the limit of 500'),
    }),
  )
  for (const socket of sockets) socket.end()
})
