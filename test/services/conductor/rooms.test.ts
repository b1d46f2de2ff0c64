// Messages and memory of the conductor, in the real rooms and the real document store.
import { describe, expect, test, vi } from 'vitest'
import { createLog } from '../../../platform/core/log/log.ts'
import type { Knex } from '../../../platform/database/database.ts'
import { PipelineMemory, type MemoryWorld } from '../../../services/conductor/execution/memory.ts'
import { NIL_UUID, uuidv5 } from '../../../services/conductor/execution/message-ids.ts'
import { Problems } from '../../../services/conductor/execution/problems.ts'
import { DAY, HOUR, MINUTE, TIME, ago, issue, label, pullRequest } from './snapshots.ts'
import { REPOSITORY, conductorStands } from './stand.ts'

vi.setConfig({ testTimeout: 30_000 })

const start = conductorStands()

const unlabelled = (count: number) => Array.from({ length: count }, (_, at) => issue({ number: at + 1, labels: [] }))
const waiting = pullRequest({ number: 7, labels: [label('review-agent', ago(HOUR))], verdicts: [], reviews: [] })

test('derives message ids as RFC 9562 does', () => {
  // https://www.rfc-editor.org/rfc/rfc9562#name-example-of-a-uuidv5-value
  expect(uuidv5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
})

describe('messages', () => {
  test('are posted as the agent conductor, with their subject', async () => {
    const { run, messages } = await start({ pullRequests: [waiting] })
    const { id, actions } = await run()
    expect(actions).toMatchObject([
      { action: 'post', about: 'nudge', room: 'engineering', number: 7 },
      { action: 'remember' },
    ])
    expect(await messages('engineering')).toMatchObject([
      {
        sender_id: 'conductor',
        sender_kind: 'agent',
        content: expect.stringContaining('acme/shop#7'),
        metadata: { source: 'conductor', about: 'nudge', repository: 'acme/shop', run: id, mention: null },
      },
    ])
  })

  test('are not repeated while the memory knows them', async () => {
    const { run, messages, forge } = await start({ pullRequests: [waiting] })
    await run()
    forge.state = { ...forge.state, time: TIME + 59 * MINUTE }
    expect((await run()).actions).toMatchObject([{ action: 'remember' }])
    forge.state = { ...forge.state, time: TIME + 60 * MINUTE }
    await run()
    expect(await messages('engineering')).toHaveLength(2)
  })

  test('count the transitions of a run in a digest', async () => {
    const { run, messages } = await start({ issues: unlabelled(1) })
    await run()
    expect(await messages('operations')).toMatchObject([
      {
        metadata: {
          about: 'digest',
          counts: { needs_triage: 1 },
          transitions: [expect.stringContaining('needs-triage')],
        },
      },
    ])
  })

  test('are a problem of the run if the room is missing, and are posted once it exists', async () => {
    const { run, ask, messages } = await start({ pullRequests: [waiting] }, { rooms: ['operations'] })
    expect(await run()).toMatchObject({
      status: 'done',
      health: 'degraded',
      problems: [{ code: 'room-missing', detail: expect.stringContaining('engineering') }],
    })
    await ask('POST /rooms', { name: 'engineering', created_by: 'mira' }, 'communicate')
    const refused = await run()
    expect(refused.problems).toMatchObject([{ code: 'room-refused' }, { code: 'room-refused' }])
    const body = { identifier: 'conductor', kind: 'agent', display_name: 'conductor' }
    await ask('POST /rooms/engineering/participants', body, 'communicate')
    expect(await run()).toMatchObject({ health: 'ok', problems: [] })
    expect(await messages('engineering')).toHaveLength(1)
  })

  test('leave out a digest whose room is missing, and its lines', async () => {
    const { run, ask, db, messages } = await start({ issues: unlabelled(1) }, { rooms: ['engineering'] })
    expect(await run()).toMatchObject({ problems: [{ code: 'room-missing' }] })
    expect(await db('conductor_journal')).toEqual([])
    await ask('POST /rooms', { name: 'operations', created_by: 'mira' }, 'communicate')
    expect((await run()).actions).toMatchObject([{ action: 'remember' }])
    expect(await messages('operations')).toEqual([])
  })

  test('cannot be posted in the name of the conductor by others', async () => {
    const { host, ask } = await start({})
    const post = (headers: Record<string, string>) =>
      fetch(`${host.urls.communicate}/rooms/engineering/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ sender_id: 'conductor', content: 'hello' }),
      })
    expect((await post({ 'x-svc-actor': 'conductor' })).status).toBe(400)
    expect((await post({ 'x-svc-agent': 'builder' })).status).toBe(403)
    const body = { content: 'mine', created_by: 'conductor' }
    const remembered = await fetch(`${host.urls.docstore}/memories`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-actor': 'mira' },
      body: JSON.stringify(body),
    })
    expect(remembered.status).toBe(403)
    expect((await ask('GET /health')).status).toBe(200)
  })
})

describe('the memory', () => {
  test('keeps one record of a repository, and the one before it', async () => {
    const { run, memories } = await start({ issues: unlabelled(1) })
    const runs = [await run(), await run(), await run()]
    const [last, before, ...older] = await memories()
    expect(older).toEqual([])
    expect(last).toMatchObject({
      created_by: 'conductor',
      tags: ['conductor', 'pipeline', 'repo:acme/shop', 'health:ok'],
      supersedes: before!.id,
      superseded_by: null,
    })
    expect(JSON.parse(last!.content)).toEqual({
      version: 1,
      repository: 'acme/shop',
      run: runs[2]!.id,
      at: expect.any(String),
      health: 'ok',
      status: 'done',
      stopped: null,
      counts: runs[2]!.counts,
      reported: {},
    })
  })

  test('of a repository that is spelt in another way is the same', async () => {
    const { run, memories } = await start({}, { env: { SVC_CONDUCTOR_REPOSITORY: '' } })
    for (const repository of ['Acme/Shop', 'acme/shop']) await run({ repository })
    expect((await memories()).filter(({ superseded_by }) => superseded_by === null)).toHaveLength(1)
  })

  test('that is down degrades a run, which reports nothing that is reported once', async () => {
    const { run, forge, messages } = await start(
      { issues: unlabelled(1), pullRequests: [waiting] },
      { others: ['communicate'] },
    )
    const ended = await run()
    expect(ended).toMatchObject({ status: 'done', health: 'degraded' })
    expect(ended.problems).toMatchObject([{ code: 'memory-unavailable' }])
    expect(ended.actions.at(-1)).toMatchObject({ action: 'remember', outcome: 'failed' })
    expect(await messages('engineering')).toEqual([])
    expect(forge.picture.issues).toEqual([[1, ['needs-triage']]])
    await run()
    expect(await messages('operations')).toHaveLength(1)
  })

  describe('that refuses writes', () => {
    const refuse = (db: Knex) =>
      db.raw(`create trigger full before insert on docstore_memories begin select raise(abort, 'full'); end`)
    const conflicting = pullRequest({ number: 8, mergeable: 'CONFLICTING' })
    const resolved = { mergeable: 'MERGEABLE' as const, labels: [], verdicts: [] }

    test('degrades each run, and no report is repeated', async () => {
      const stale = issue({ number: 3, activeAt: ago(4 * DAY) })
      const { run, messages, forge, db } = await start({ issues: [stale], pullRequests: [waiting] })
      await refuse(db)
      for (let count = 0; count < 2; count++)
        expect(await run()).toMatchObject({ health: 'degraded', problems: [{ code: 'memory-unavailable' }] })
      forge.state = { ...forge.state, issues: [stale, { ...stale, number: 4 }] }
      await run()
      expect((await messages('engineering')).map(({ metadata }) => metadata.items)).toEqual([[7]])
      expect((await messages('operations')).map(({ metadata }) => metadata.items)).toEqual([[3], [4]])
    })

    test('hides no post about a situation that has returned', async () => {
      const { run, messages, forge, db } = await start({})
      await run()
      await refuse(db)
      for (const change of [conflicting, resolved, conflicting]) {
        forge.state = { ...forge.state, pullRequests: [{ ...conflicting, ...change }] }
        await run()
      }
      const about = (await messages('engineering')).map(({ metadata }) => metadata.about)
      expect(about.filter((each) => each === 'conflicting')).toHaveLength(2)
    })
  })

  test('refuses a record that is too long, with its size and the limit', async () => {
    const problems = new Problems()
    const docstore = { listMemories: async () => [] } as unknown as MemoryWorld['docstore']
    const log = createLog({ level: 'silent', format: 'json' })
    const memory = new PipelineMemory({ docstore, problems, log, repository: REPOSITORY })
    await memory.read()
    const reported = new Map(Array.from({ length: 5000 }, (_, number) => [`stale #${number}`, TIME] as const))
    const counts = { needs_triage: 0, merge_queue: 0, in_review: 0, needs_rework: 0, active_branches: 0 }
    const record = { status: 'done', health: 'ok', stopped: null, counts, reported } as const
    expect(await memory.remember(record, { id: NIL_UUID, at: '2026-05-01T12:00:00Z' })).toBe(false)
    expect(problems.all).toMatchObject([
      { code: 'memory-unavailable', detail: expect.stringMatching(/has \d{6} characters, a memory has at most 65536/) },
    ])
  })

  test('that is unreadable counts as none, and is replaced', async () => {
    const { run, ask, memories, db } = await start({ pullRequests: [waiting] })
    await run()
    const [record] = await memories()
    await db('docstore_memories').where({ id: record!.id }).update({ content: '{"version":2}' })
    const ended = await run()
    expect(ended).toMatchObject({ health: 'degraded', problems: [{ code: 'memory-unreadable' }] })
    expect(ended.actions).toMatchObject([
      { action: 'post', about: 'nudge' },
      { action: 'remember', outcome: 'done' },
    ])
    expect(await run()).toMatchObject({ health: 'ok' })
    expect((await ask('GET /health')).body.status).toBe('ok')
  })
})
