import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { unavailable } from '../../../../platform/core/problem.ts'
import type { ConductorRun } from '../../../../schemas/conductor/run.ts'
import { INBOX_KINDS, INBOX_MEANINGS, InboxItem, type InboxPart } from '../../../../schemas/gateway/inbox.ts'
import { inboxKinds } from '../../../../services/gateway/inbox/kinds/index.ts'
import { everyService } from '../../../../schemas/operations/services.ts'
import { examples } from './examples.ts'
import { inboxOf, inboxOver } from './stand.ts'

test('has an entry, a meaning and an example for every kind', () => {
  const kinds = [...INBOX_KINDS].sort()
  for (const table of [inboxKinds, INBOX_MEANINGS, examples]) expect(Object.keys(table).sort()).toEqual(kinds)
})

test.each(INBOX_KINDS)('makes an item of the kind %s', async (kind) => {
  const { records, item, text, operations } = examples[kind]
  const { items, counts, missing } = await inboxOf(records)
  const [found, ...others] = items.filter((each) => each.kind === kind)
  expect([others, missing]).toEqual([[], []])
  expect(found).toMatchObject({ deadline: null, ...item, kind })
  expect(`${textOf(found!.title)}; ${textOf(found!.detail)}`).toBe(text)
  expect(
    found!.links.map(({ method, path, body }) => `${method} ${path}${body ? ` ${JSON.stringify(body)}` : ''}`),
  ).toEqual(operations)
  expect(Check(InboxItem, found)).toBe(true)
  expect(counts).toMatchObject({ total: items.length, [kind]: 1 })
})

test.each(INBOX_KINDS)('links operations that exist from items of the kind %s', async (kind) => {
  const { items } = await inboxOf(examples[kind].records)
  const known = new Map(
    everyService.flatMap(({ operations }) => Object.values(operations).map((each) => [each.id, each])),
  )
  for (const { operation, method, path } of items.flatMap(({ links }) => links)) {
    const { path: template, method: documented } = known.get(operation)!
    const pattern = template.replace(/:\w+/g, '[^/]+')
    expect([method, path]).toEqual([
      documented,
      expect.stringMatching(new RegExp(`^/api/${operation.split('.')[0]}${pattern}$`)),
    ])
  }
})

test.each([
  ['suspended', { suspended: true }],
  ['orphaned', { orphaned: true }],
  ['read for the first time', { revision: null }],
  ['equal to its manifests', { applied_revision: 'r2' }],
  [
    'held by a rollback',
    { hold: { revision: 'r1', against: null, run_id: 'r', actor: 'mia', since: '2030-01-01T10:00:00.000Z' } },
  ],
])('asks for no sync of a source in mode manual that is %s', async (_what, members) => {
  const [manual] = examples.sync.records.sources!
  const { counts } = await inboxOf({ sources: [{ ...manual!, ...members }] })
  expect(counts.sync).toBe(0)
})

test('believes no source of a notification', async () => {
  const [sample] = examples.notification.records.notifications!
  const claimed = { AskService: { request_id: sample!.id } }
  const of = async (owner: string | null) =>
    (await inboxOf({ notifications: [{ ...sample!, source: claimed, owner }] })).items[0]!
  expect((await of('intruder')).title[0]).toEqual({ quoted: 'intruder', by: null })
  const unsigned = await of(null)
  expect([unsigned.title[0], unsigned.detail[0]]).toEqual([
    { text: 'A notification' },
    { quoted: 'Which branch?', by: null },
  ])
})

test('shows the notification of a question if the questions cannot be read', async () => {
  const failing = { listQuestions: unavailable('the ask service does not answer') }
  const inbox = inboxOver(examples.notification.records, failing)
  const { counts } = await inbox.show({}, { limit: 200, side: 'after', cursor: '' })
  expect(counts).toMatchObject({ notification: 2, question: 0 })
})

test('takes gates from the newest run that judged the pull requests', async () => {
  const [newest] = examples.gate.records.runs!
  const unjudged = newest!.items.map((item) => ({ ...item, situation: null }))
  const others: ConductorRun[] = [
    { ...newest!, status: 'failed', items: [] },
    { ...newest!, status: 'deferred', items: [] },
    { ...newest!, items: unjudged },
  ]
  const { counts, missing } = await inboxOf({ runs: [...others, newest!] })
  expect([counts.gate, missing]).toEqual([1, []])
  // More runs of another repository than one page.
  const busy = Array.from({ length: 30 }, () => ({ ...newest!, repository: 'acme/other', items: [] }))
  expect((await inboxOf({ runs: [...busy, newest!] })).counts.gate).toBe(1)
})

test('tells that no recent run judged the pull requests of a repository', async () => {
  const [newest] = examples.gate.records.runs!
  const { counts, missing } = await inboxOf({
    runs: [{ ...newest!, repository: 'acme/other', status: 'failed' }, newest!],
  })
  expect(counts.gate).toBe(1)
  const detail = 'no recent run judged the pull requests of acme/other'
  expect(missing).toEqual([{ kind: 'gate', service: 'conductor', reason: 'failed', detail }])
})

test('keeps the start and the end of a long command', async () => {
  const [long] = examples.approval.records.approvals!
  const shown = async (command: string) => {
    const { items } = await inboxOf({ approvals: [{ ...long!, tool_input: { command } }] })
    return (items[0]!.detail[0] as { quoted: string }).quoted
  }
  for (const face of ['😀'.repeat(390), '😀'.repeat(500), '-'.repeat(5000)]) {
    const cut = await shown(`start ${face} end.`)
    expect(cut).toMatch(/^start (😀|-)+…(😀|-)+ end\.$/u)
    expect(Array.from(cut)).toHaveLength(400)
  }
  for (const whole of ['😀'.repeat(400), '-'.repeat(400)]) expect(await shown(whole)).toBe(whole)
})

test('shows the whole input of a call without a main field', async () => {
  const [other] = examples.approval.records.approvals!
  const shown = async (tool_input: unknown) =>
    (await inboxOf({ approvals: [{ ...other!, tool_input }] })).items[0]!.detail[0]
  expect(await shown({ a: 1 })).toEqual({ quoted: '{"a":1}', by: 'agent:builder' })
  expect(await shown(null)).toEqual({ quoted: 'null', by: 'agent:builder' })
  expect(await shown({ command: ['rm'] })).toMatchObject({ quoted: '{"command":["rm"]}' })
})

const textOf = (parts: readonly InboxPart[]): string =>
  parts
    .map((part) => ('text' in part ? part.text : `'${part.quoted}'${part.by === null ? '' : ` of ${part.by}`}`))
    .join('')
