import { describe, expect, test } from 'vitest'
import { LiveConnection, type SocketEvents } from '../../../web/live/connection.ts'

const EPOCH = 'abcdefabcdef'
const at = (number: number) => `${EPOCH}:${number}`

class Daemon {
  time = 0
  key: string | null = null
  readonly sockets: { events: SocketEvents; sent: any[]; isClosed: boolean }[] = []
  readonly log: string[] = []
  #timers: { due: number; run: () => void }[] = []
  readonly connection = new LiveConnection(
    {
      open: (events) => {
        const socket = { events, sent: [] as any[], isClosed: false }
        this.sockets.push(socket)
        return { send: (text) => void socket.sent.push(JSON.parse(text)), close: () => void (socket.isClosed = true) }
      },
      now: () => this.time,
      after: (ms, run) => {
        const timer = { due: this.time + ms, run }
        this.#timers.push(timer)
        return () => void (this.#timers = this.#timers.filter((each) => each !== timer))
      },
      random: () => 1,
      sessionKey: () => this.key,
    },
    {
      changed: ({ kind }) => void this.log.push(kind),
      subscribed: (topic, isResumed) => void this.log.push(`${topic} ${isResumed ? 'resumed' : 'new'}`),
      items: (topic, items) => void this.log.push(`${topic} ${items.map(({ id }) => id).join(' ')}`),
      refused: (topic, { code }) => void this.log.push(`${topic} refused ${code}`),
      tick: () => void this.log.push('tick'),
    },
  )

  get last() {
    return this.sockets.at(-1)!
  }

  receive(frame: object, socket = this.last): void {
    socket.events.received(JSON.stringify(frame))
  }

  /** Opens the newest socket and accepts the topic at `number`. */
  accept(topic: string, number: number): void {
    this.last.events.opened()
    this.receive({ topic, seq: at(number) })
  }

  advance(ms: number): void {
    const end = this.time + ms
    for (;;) {
      const [next] = this.#timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
      if (!next) break
      this.#timers = this.#timers.filter((each) => each !== next)
      this.time = next.due
      next.run()
    }
    this.time = end
  }
}

function started(): Daemon {
  const daemon = new Daemon()
  daemon.connection.subscribe('inbox')
  daemon.connection.start()
  daemon.accept('inbox', 7)
  return daemon
}

const item = (number: number, id: string) => ({ seq: at(number), id, item: {} })

describe('the live connection', () => {
  test('sends the session key before the topics', () => {
    const daemon = new Daemon()
    daemon.key = 'k1'
    daemon.connection.subscribe('inbox')
    daemon.connection.start()
    daemon.last.events.opened()
    expect(daemon.last.sent).toEqual([{ key: 'k1' }, { subscribe: true, topic: 'inbox', after: null }])
  })

  test('continues after the last received change', () => {
    const daemon = started()
    daemon.receive({ topic: 'inbox', items: [item(8, 'a'), item(9, 'b'), { seq: null, id: 'c', item: {} }] })
    daemon.last.events.closed(1006)
    daemon.advance(500)
    daemon.accept('inbox', 9)
    expect(daemon.last.sent).toEqual([{ subscribe: true, topic: 'inbox', after: at(9) }])
    expect(daemon.log).toEqual([
      'connecting',
      'live',
      'inbox new',
      'inbox a b c',
      'lost',
      'connecting',
      'live',
      'inbox resumed',
    ])
  })

  test('continues after the position of a tick', () => {
    const daemon = started()
    daemon.receive({ tick: 1, at: '2026-11-27T06:00:00.000Z', seq: at(50) })
    daemon.last.events.closed(1006)
    daemon.advance(500)
    daemon.last.events.opened()
    expect(daemon.last.sent[0].after).toBe(at(50))
  })

  test('starts a topic again after gone', () => {
    const daemon = started()
    daemon.receive({ topic: 'inbox', gone: true })
    daemon.receive({ topic: 'inbox', seq: at(90) })
    expect(daemon.last.sent.at(-1)).toEqual({ subscribe: true, topic: 'inbox', after: null })
    expect(daemon.log.at(-1)).toBe('inbox new')
  })

  test('waits longer after each failure, up to 15 s', () => {
    const daemon = started()
    const delays: number[] = []
    for (let failures = 0; failures < 7; failures += 1) {
      daemon.last.events.closed(1006)
      const state = daemon.connection.state
      const retryAt = state.kind === 'lost' ? state.retryAt : daemon.time
      delays.push(retryAt - daemon.time)
      daemon.advance(retryAt - daemon.time)
    }
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000])
  })

  test('reconnects after 12 s without a frame', () => {
    const daemon = started()
    daemon.advance(11_999)
    expect(daemon.sockets.length).toBe(1)
    daemon.receive({ tick: 1, at: '2026-11-27T06:00:00.000Z', seq: null })
    daemon.advance(12_000)
    expect([daemon.sockets.length, daemon.sockets[0]!.isClosed]).toEqual([2, true])
    // The time of the last frame: a page that slept notices the loss later.
    expect(daemon.connection.lostSince).toBe(11_999)
  })

  test('is lost if it never became live', () => {
    const daemon = new Daemon()
    daemon.advance(5)
    daemon.connection.start()
    daemon.last.events.closed(1006)
    expect([daemon.connection.state.kind, daemon.connection.lostSince]).toEqual(['lost', 5])
  })

  test('ends when an answer refused the session, and starts again after a sign-in', () => {
    const daemon = started()
    daemon.connection.signOut()
    daemon.advance(60_000)
    expect([daemon.connection.state.kind, daemon.last.isClosed, daemon.sockets.length]).toEqual(['signed-out', true, 1])
    daemon.connection.retry()
    daemon.accept('inbox', 9)
    expect(daemon.connection.state.kind).toBe('live')
  })

  test('does not continue a topic that was refused', () => {
    const daemon = started()
    daemon.receive({ topic: 'inbox', error: { code: 'internal', message: 'the database is locked' } })
    daemon.receive({ tick: 1, at: '2026-11-27T06:00:00.000Z', seq: at(50) })
    daemon.last.events.closed(1006)
    daemon.advance(500)
    daemon.last.events.opened()
    expect(daemon.last.sent[0].after).toBeNull()
  })

  test('ignores late events of a replaced socket', () => {
    const daemon = started()
    const [first] = daemon.sockets
    daemon.advance(12_000)
    daemon.accept('inbox', 7)
    first!.events.closed(1006)
    daemon.receive({ topic: 'inbox', items: [item(8, 'old')] }, first)
    expect(daemon.connection.state.kind).toBe('live')
    expect(daemon.log).not.toContain('inbox old')
  })

  test('reconnects a page that slept, when it is shown', () => {
    const daemon = started()
    daemon.connection.check()
    expect(daemon.sockets.length).toBe(1)
    daemon.time += 600_000
    daemon.connection.check()
    expect(daemon.sockets.length).toBe(2)
  })

  test('does not retry a session that has ended', () => {
    const daemon = started()
    daemon.last.events.closed(4401)
    daemon.advance(60_000)
    expect([daemon.connection.state.kind, daemon.sockets.length]).toEqual(['signed-out', 1])
    daemon.connection.retry()
    expect(daemon.sockets.length).toBe(2)
  })

  test('subscribes a topic that is added before the first frame', () => {
    const daemon = new Daemon()
    daemon.connection.start()
    daemon.last.events.opened()
    daemon.connection.subscribe('agents')
    expect(daemon.last.sent).toEqual([{ subscribe: true, topic: 'agents', after: null }])
  })

  test('drops changes of a topic after the end of its subscription', () => {
    const daemon = started()
    daemon.connection.unsubscribe('inbox')
    daemon.receive({ topic: 'inbox', items: [item(8, 'late')] })
    expect(daemon.last.sent.at(-1)).toEqual({ subscribe: false, topic: 'inbox' })
    expect(daemon.log).not.toContain('inbox late')
  })

  test('reports a refused topic and ignores a broken frame', () => {
    const daemon = started()
    daemon.receive({ topic: 'inbox', error: { code: 'forbidden', message: 'no' } })
    daemon.last.events.received('{')
    expect(daemon.log.at(-1)).toBe('inbox refused forbidden')
    expect(daemon.connection.state.kind).toBe('live')
  })
})
