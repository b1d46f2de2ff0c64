import { expect, test } from 'vitest'
import { lostLines } from '../../../../cli/svc/daemon/in-flight.ts'
import type { InFlight } from '../../../../schemas/agent/in-flight.ts'

const work = (more: Partial<InFlight>): InFlight =>
  ({ agent: 'builder', agent_id: 'a1', workflow: null, dispatch_id: null, since: null, ...more }) as InFlight

test('names each piece of work that a stop fails', () => {
  const since = '2026-11-26T04:40:36.841Z'
  const dispatch = { kind: 'dispatch', dispatch_id: '8c9554f4-1', workflow: 'hello' } as const
  expect(lostLines([work({ kind: 'initial', since })])).toEqual([
    'warning: a running task fails because of this stop:',
    `  the initial prompt of agent builder, since ${since}`,
    expect.stringMatching(/^hint: wait until they are finished with ".*svc down --when-idle"$/),
  ])
  const lines = lostLines([work({ kind: 'message' }), work({ kind: 'clear' }), work(dispatch)])
  expect(lines.slice(0, 4)).toEqual([
    'warning: 3 running tasks fail because of this stop:',
    '  a message of agent builder',
    '  the context clearing of agent builder',
    '  dispatch 8c9554f4 of workflow hello with agent builder',
  ])
  expect(lostLines([])).toEqual([])
})
