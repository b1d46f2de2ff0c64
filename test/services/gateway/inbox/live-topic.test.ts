import { expect, test } from 'vitest'
import { unavailable } from '../../../../platform/core/problem.ts'
import { INBOX_KINDS } from '../../../../schemas/gateway/inbox.ts'
import { MOST_READ } from '../../../../services/gateway/inbox/reads.ts'
import { inboxTopic } from '../../../../services/gateway/inbox/live-topic.ts'
import { examples } from './examples.ts'
import { inboxOf, inboxOver } from './stand.ts'

test.each(INBOX_KINDS)('reads the group of an item of the kind %s', async (kind) => {
  const { records } = examples[kind]
  const { items } = await inboxOf(records)
  const { group } = items.find((item) => item.kind === kind)!
  const others = ['approval/gone', 'source/gone', 'gates/gone']
  expect(await inboxOver(records).groups([group, ...others])).toEqual(
    new Map([[group, { items: items.filter((item) => item.group === group), missing: [] }]]),
  )
})

test('reads only the services of the groups', async () => {
  const { records } = examples.question
  const inbox = inboxOver(records, { listApprovals: unavailable('down') })
  expect([...(await inbox.groups(['question/gone'])).keys()]).toEqual([])
  await expect(inbox.groups(['approval/gone'])).rejects.toMatchObject({ status: 503 })
})

test('reads the groups of other kinds while one kind cannot be read', async () => {
  const { records } = examples.question
  const inbox = inboxOver(records, { listApprovals: unavailable('down') })
  const { items } = await inboxOf(records)
  const { group } = items.find(({ kind }) => kind === 'question')!
  const reading = inbox.groups(['approval/one', group, 'question/gone'])
  await expect(reading).rejects.toMatchObject({
    status: 503,
    records: new Map([
      [group, { items: items.filter((item) => item.group === group), missing: [] }],
      ['question/gone', null],
    ]),
  })
})

test('takes no item for gone that it could not read', async () => {
  const [sample] = examples.approval.records.approvals!
  const approvals = Array.from({ length: MOST_READ + 50 }, (_, at) => ({ ...sample!, id: String(at) }))
  const last = `approval/${MOST_READ + 49}`
  const groups = await inboxOver({ approvals }).groups(['approval/0', last, 'question/gone'])
  const missing = [{ kind: 'approval', reason: 'truncated' }]
  expect(Object.fromEntries(groups)).toMatchObject({
    'approval/0': { items: [], missing },
    [last]: { items: [{ id: last }], missing },
  })
  expect(groups.size).toBe(2)
})

const topic = inboxTopic(inboxOver({}), {
  mayOf: async (id) => (id === 'lead' ? ['approve'] : []),
  inboxSources: [],
  planned: () => () => undefined,
})
const caller = (actor: string, agent?: string) => ({
  actor,
  requestId: 'r',
  endpoint: 'GET /live',
  ...(agent ? { agent } : {}),
})

test('is open to people, and to agents that may approve', async () => {
  await expect(topic.open!('', caller('mira'))).resolves.toBeUndefined()
  await expect(topic.open!('', caller('agent:lead', 'lead'))).resolves.toBeUndefined()
  for (const agent of [caller('agent:bob', 'bob'), caller('agent:?')])
    await expect(topic.open!('', agent)).rejects.toMatchObject({ status: 403, code: 'agent-may-not' })
})

test('reports a source whose plan has changed', () => {
  const heard: string[] = []
  let plan: (source: string) => void = () => undefined
  const parts = {
    mayOf: async () => [],
    inboxSources: [],
    planned: (listener: typeof plan) => ((plan = listener), () => undefined),
  }
  inboxTopic(inboxOver({}), parts).unrecorded!((id) => heard.push(id))
  plan('team')
  expect(heard).toEqual(['source/team'])
})
