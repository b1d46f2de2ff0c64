import { describe, expect, test } from 'vitest'
import type { EntryPage } from '../../../../../web/parts/lists/entry-window.ts'
import { Conversation, type Cursor } from '../../../../../web/screens/agents/talk/conversation.ts'

const PAGE = 10

/** Serves numbers below `total` by cursor. `hold()` delays the next answer until its result is called. */
function agent(total: number) {
  const served = { total, reads: [] as Cursor[], failure: null as Error | null, gate: Promise.resolve() }
  const page = (from: number, to: number): EntryPage<number> => {
    const [start, end] = [Math.max(from, 0), Math.min(to, served.total)]
    return {
      items: Array.from({ length: Math.max(end - start, 0) }, (_, index) => start + index),
      previous: start === 0 ? null : `${start}`,
      next: served.total === 0 ? null : `${end}`,
    }
  }
  const conversation = new Conversation<number>({
    read: async (cursor) => {
      served.reads.push(cursor)
      await served.gate
      if (served.failure) throw served.failure
      if ('after' in cursor) return page(Number(cursor.after), Number(cursor.after) + PAGE)
      return cursor.before === ''
        ? page(served.total - PAGE, served.total)
        : page(Number(cursor.before) - PAGE, Number(cursor.before))
    },
    changed: () => undefined,
  })
  const hold = () => {
    let release = () => undefined as void
    served.gate = new Promise((resolve) => void (release = resolve))
    return release
  }
  return { served, conversation, hold }
}

const edges = ({ window }: Conversation<number>) => [window!.entries[0], window!.entries.at(-1)]

describe('a conversation', () => {
  test('starts at the end and reads older pages', async () => {
    const { conversation } = agent(100)
    await conversation.readEnd()
    await conversation.readOlder()
    expect([edges(conversation), conversation.state.kind]).toEqual([[80, 99], 'ready'])
  })

  test('reads all new entries after a notice', async () => {
    const { served, conversation } = agent(100)
    await conversation.readEnd()
    served.total = 125
    await conversation.notice()
    expect(edges(conversation)).toEqual([90, 124])
  })

  test('reads once more for a notice during a read', async () => {
    const { served, conversation, hold } = agent(100)
    await conversation.readEnd()
    const release = hold()
    const first = conversation.notice()
    served.total = 101
    await conversation.notice()
    release()
    await first
    expect(edges(conversation)).toEqual([90, 100])
  })

  test('begins with the first entry of an empty conversation', async () => {
    const { served, conversation } = agent(0)
    await conversation.readEnd()
    served.total = 1
    await conversation.notice()
    expect(edges(conversation)).toEqual([0, 0])
  })

  test('keeps its place away from the end, and returns to it', async () => {
    const { served, conversation } = agent(3000)
    await conversation.readEnd()
    for (let steps = 0; steps < 130; steps += 1) await conversation.readOlder()
    const before = edges(conversation)
    served.total = 3001
    await conversation.notice()
    expect([edges(conversation), conversation.hasNewer]).toEqual([before, true])
    await conversation.readEnd()
    expect([edges(conversation)[1], conversation.hasNewer]).toEqual([3000, false])
  })

  test('reports a failed read and continues with the next one', async () => {
    const { served, conversation } = agent(100)
    served.failure = new Error('down')
    await conversation.readEnd()
    expect(conversation.state).toEqual({ kind: 'failed', error: served.failure })
    served.failure = null
    await conversation.notice()
    expect([edges(conversation), conversation.state.kind]).toEqual([[90, 99], 'ready'])
  })

  test('changes nothing after it was closed', async () => {
    const { conversation, hold } = agent(100)
    const release = hold()
    const read = conversation.readEnd()
    conversation.close()
    release()
    await read
    expect(conversation.window).toBeNull()
  })
})
