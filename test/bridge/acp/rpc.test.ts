import { expect, test } from 'vitest'
import { RpcFault, RpcPeer } from '../../../bridge/acp/rpc.ts'
import type { Frame } from '../../../bridge/frames.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import { eventually } from '../../support/eventually.ts'

function stand() {
  const clock = new TestClock()
  const sent: Frame[] = []
  const notified: string[] = []
  const other: string[] = []
  const open: { answer(result: Frame): void; withdrawn: AbortSignal }[] = []
  const peer = new RpcPeer({
    timers: { now: () => 0, after: (ms, callback) => clock.after(ms, callback) },
    write: (line) => sent.push(JSON.parse(line) as Frame),
    onRequest: (method, _params, withdrawn) => {
      if (method === 'refused') return Promise.reject(new RpcFault('no', -32601))
      return new Promise((answer) => open.push({ answer, withdrawn }))
    },
    onNotification: (method) => notified.push(method),
    onOther: (line) => other.push(line),
  })
  const take = (message: Frame) => peer.take(JSON.stringify({ jsonrpc: '2.0', ...message }))
  return { clock, peer, sent, notified, other, open, take }
}

test('reports lines that are not messages and ignores unexpected answers', () => {
  const { peer, take, sent, notified, other } = stand()
  for (const line of [
    'garbage',
    '[]',
    '{}',
    'null',
    '{"jsonrpc":"1.0","method":"x"}',
    '{"jsonrpc":"2.0","method":"x","id":{}}',
  ])
    peer.take(line)
  expect(other).toHaveLength(6)
  for (const id of [1, 'x', null, 1e9, undefined]) take({ id, result: {} })
  take({ method: 'note' })
  expect([sent, notified, other.length]).toEqual([[], ['note'], 6])
})

test('keeps truncated error details and treats a non-object result as empty', async () => {
  const { peer, take } = stand()
  const failing = peer.request('a', {})
  take({ id: 1, error: { code: -32603, message: 'Internal error', data: { details: 'x'.repeat(5000) } } })
  await expect(failing).rejects.toMatchObject({
    code: -32603,
    message: expect.stringMatching(/^Internal error: x{1984}$/),
  })
  const odd = peer.request('b', {})
  take({ id: 2, result: [1] })
  expect(await odd).toEqual({})
})

test('fails a request at its time-out and when the program ends', async () => {
  const { clock, peer, take } = stand()
  const slow = peer.request('slow', {}, 5000)
  clock.tick(5000)
  await expect(slow).rejects.toThrow('slow: no answer within 5 s')
  take({ id: 1, result: {} })
  const last = peer.request('last', {})
  peer.close()
  await expect(last).rejects.toThrow('last: the program ended')
})

test('answers a request, refuses its duplicate id, and allows its withdrawal', async () => {
  const { take, sent, open } = stand()
  take({ id: 'q', method: 'ask' })
  take({ id: 'q', method: 'ask' })
  await eventually(() => sent.length === 1)
  expect(sent[0]).toMatchObject({ id: 'q', error: { code: -32602 } })
  take({ method: '$/cancel_request', params: { requestId: 'other' } })
  expect(open[0]!.withdrawn.aborted).toBe(false)
  take({ method: '$/cancel_request', params: { requestId: 'q' } })
  expect(open[0]!.withdrawn.aborted).toBe(true)
  open[0]!.answer({ fine: true })
  take({ id: null, method: 'refused' })
  await eventually(() => sent.length === 3)
  expect(sent).toContainEqual({ jsonrpc: '2.0', id: 'q', result: { fine: true } })
  expect(sent).toContainEqual({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'no' } })
})

test('limits open requests to a thousand', async () => {
  const { take, sent, open } = stand()
  for (let id = 0; id <= 1000; id++) take({ id, method: 'ask' })
  await eventually(() => sent.length === 1)
  expect(open).toHaveLength(1000)
  expect(sent[0]).toMatchObject({ id: 1000, error: { message: '1000 requests are already pending' } })
})
