import { describe, expect, test } from 'vitest'
import { SessionKey, type KeyChannel } from '../../../web/client/session-key.ts'

/** Tabs of one origin: each has its storage, and all hear each other. */
function tabs(count: number) {
  const listeners: ((event: { data: unknown }) => void)[] = []
  const channelOf = (own: number): KeyChannel => ({
    postMessage: (data) => {
      for (const [index, listener] of listeners.entries()) if (index !== own) listener({ data: structuredClone(data) })
    },
    addEventListener: (_type, listener) => void (listeners[own] = listener),
  })
  const storage = () => {
    const stored = new Map<string, string>()
    return {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    }
  }
  return Array.from({ length: count }, (_, index) => new SessionKey(storage(), channelOf(index)))
}

const never = new Promise(() => undefined)

describe('the session key', () => {
  test('reaches a new tab from an open one', async () => {
    const [open, other] = tabs(2)
    open!.set('k1')
    other!.clear()
    expect(await other!.find(never)).toBe('k1')
    expect(other!.value).toBe('k1')
  })

  test('is missing if no tab answers in time', async () => {
    const [only] = tabs(1)
    expect(await only!.find(Promise.resolve())).toBeNull()
  })

  test('of a later sign-in replaces that of the other tabs, since they share its cookie', () => {
    const [first, second] = tabs(2)
    first!.set('k1')
    second!.clear()
    second!.set('k2')
    expect([first!.value, second!.value]).toEqual(['k2', 'k2'])
  })

  test('is not cleared by an answer to an earlier one', () => {
    const [only] = tabs(1)
    only!.set('k2')
    only!.clear('k1')
    expect(only!.value).toBe('k2')
    only!.clear('k2')
    expect(only!.value).toBeNull()
  })

  test('ignores messages of another shape', () => {
    let receive: (event: { data: unknown }) => void = () => undefined
    const key = new SessionKey(
      { getItem: () => null, setItem: () => expect.unreachable(), removeItem: () => undefined },
      { postMessage: () => undefined, addEventListener: (_type, listener) => void (receive = listener) },
    )
    for (const data of [null, 'key', { key: 5 }, { key: '' }, []]) receive({ data })
    expect(key.value).toBeNull()
  })
})
