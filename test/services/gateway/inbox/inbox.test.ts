import { expect, test } from 'vitest'
import { forbidden, unavailable } from '../../../../platform/core/problem.ts'
import type { Approval } from '../../../../schemas/tools/approval.ts'
import { MOST_READ } from '../../../../services/gateway/inbox/reads.ts'
import { examples, type Records } from './examples.ts'
import { inboxOf, inboxOver } from './stand.ts'

const FIRST = { limit: 200, side: 'after', cursor: '' } as const

const all: Records = Object.assign({}, ...Object.values(examples).map(({ records }) => records))
const [sample] = examples.approval.records.approvals!
const at = (minutes: number) => new Date(Date.UTC(2030, 0, 1, 12, minutes)).toISOString()
const request = (name: string, members: Partial<Approval> = {}): Approval => ({ ...sample!, id: name, ...members })

test('sorts by deadline, then oldest first', async () => {
  const { items } = await inboxOf({
    approvals: [
      request('c', { expires_at: at(9), created_at: at(2) }),
      request('b', { expires_at: at(9), created_at: at(1) }),
      request('a', { expires_at: at(5), created_at: at(3) }),
    ],
    sources: [...examples.deletions.records.sources!, ...examples.sync.records.sources!],
  })
  expect(items.map(({ id }) => id)).toEqual([
    'approval/a',
    'approval/b',
    'approval/c',
    'deletions/team/abc',
    'sync/team/r2',
  ])
})

test('pages in both directions, with the counts of all items', async () => {
  const approvals = Array.from({ length: 5 }, (_, index) => request(`${index}`, { expires_at: at(index) }))
  const page = (cursor: string, side: 'after' | 'before' = 'after') =>
    inboxOf({ ...all, approvals }, { kind: 'approval', asked: { limit: 2, side, cursor } })
  const first = await page('')
  expect(first.items.map(({ id }) => id)).toEqual(['approval/0', 'approval/1'])
  expect(first.counts).toMatchObject({ approval: 5, question: 1, total: first.counts.total })
  expect(first.counts.total).toBeGreaterThan(10)
  const second = await page(first.next!)
  expect(second.items.map(({ id }) => id)).toEqual(['approval/2', 'approval/3'])
  expect((await page(second.previous!, 'before')).items).toEqual(first.items)
  expect(await page('', 'before')).toMatchObject({ items: [{ id: 'approval/3' }, { id: 'approval/4' }], next: null })
  await expect(page('nonsense')).rejects.toMatchObject({ status: 400 })
})

test('names what it could not read, and shows the rest', async () => {
  const down = unavailable('the ask service does not answer at http://127.0.0.1:17001: is it running?')
  const inbox = inboxOver(all, {
    listQuestions: down,
    listActionable: forbidden('bob may not read it'),
    listRuns: new Error('secret path /x'),
  })
  const { items, counts, missing } = await inbox.show({}, FIRST)
  expect(missing).toEqual([
    { kind: 'question', service: 'ask', reason: 'unavailable', detail: down.message },
    { kind: 'notification', service: 'notify', reason: 'refused', detail: 'bob may not read it' },
    { kind: 'gate', service: 'conductor', reason: 'failed', detail: 'internal error; see the log with request id id' },
  ])
  expect(counts).toMatchObject({ question: 0, notification: 0, gate: 0, approval: 1 })
  expect(items.map(({ kind }) => kind)).toContain('approval')
})

test('tells that a list has more items than it reads, and reads the oldest', async () => {
  const approvals = Array.from({ length: MOST_READ + 1 }, (_, index) => request(`${index}`, { created_at: at(-index) }))
  const { counts, missing, items } = await inboxOf({ approvals }, { kind: 'approval' })
  expect(missing).toEqual([
    {
      kind: 'approval',
      service: 'orchestrator',
      reason: 'truncated',
      detail: `only ${MOST_READ} records of the orchestrator service were read`,
    },
  ])
  expect(counts.approval).toBe(MOST_READ)
  expect(items[0]!.id).toBe(`approval/${MOST_READ}`)
  const notifications = Array.from({ length: MOST_READ + 1 }, (_, index) => ({
    ...examples.notification.records.notifications![0]!,
    id: `${index}`,
  }))
  expect(await inboxOf({ notifications })).toMatchObject({
    counts: { notification: MOST_READ },
    missing: [{ kind: 'notification', reason: 'truncated' }],
  })
})

test('shows an item once if a list shifts between two pages', async () => {
  const { counts } = await inboxOf({ approvals: [request('a'), request('a'), request('b')] })
  expect(counts.approval).toBe(2)
})

test('reads each list once', async () => {
  const reads: string[] = []
  const sources = examples.sync.records.sources!
  const inbox = inboxOver({
    get sources() {
      reads.push('sources')
      return sources
    },
  })
  await inbox.show({}, FIRST)
  expect(reads).toEqual(['sources'])
})
