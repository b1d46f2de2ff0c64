import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onEachDatabase } from '../../support/databases.ts'
import { startDocstore, type DocstoreStand } from './stand.ts'

onEachDatabase((database) => {
  let stand: DocstoreStand
  beforeAll(async () => {
    stand = await startDocstore(database.url)
  })
  afterAll(() => stand.close())
  beforeEach(() => stand.clock.tick(60_000))

  const as = (name: string | null) => ({ 'x-svc-actor': name ?? 'anonymous' })
  const remember = async (content: string, more: object = {}) => {
    const { status, body } = await stand.ask('POST /memories', { content, created_by: 'ada', ...more })
    if (status !== 201) throw new Error(`${status}: ${body.detail}`)
    return body
  }
  const found = async (query: string, name: string | null, more: object = {}): Promise<string[]> => {
    const { body } = await stand.ask('POST /memories/search', { query, ...more }, as(name))
    return body.memories.map(({ content }: { content: string }) => content)
  }

  test('creates with defaults, reads, lists and deletes a memory', async () => {
    const made = await remember('the build is red on Mondays', { tags: ['ci', 'ci'], references: ['handbook'] })
    const memory = {
      id: made.id,
      content: 'the build is red on Mondays',
      type: 'information',
      tags: ['ci'],
      created_by: 'ada',
      visibility: 'public',
      shared_with: [],
      references: ['handbook'],
      supersedes: null,
      superseded_by: null,
      created_at: made.created_at,
      updated_at: made.created_at,
    }
    expect(made).toEqual({ ...memory, similar: [] })
    expect(await stand.ask(`GET /memories/${made.id}`)).toEqual({ status: 200, body: memory })
    expect((await stand.ask('GET /memories?tag=ci&created_by=ada&type=information')).body).toEqual([memory])
    expect((await stand.ask(`DELETE /memories/${made.id}`, undefined, as('ada'))).status).toBe(204)
    expect((await stand.ask(`GET /memories/${made.id}`)).status).toBe(404)
    expect(await found('Mondays', 'ada')).toEqual([])
  })

  describe('visibility', () => {
    const all = ['ada', 'bob', 'eve', null]
    test.each([
      ['public', [], ['ada', 'bob', 'eve', null]],
      ['shared', ['bob'], ['ada', 'bob']],
      ['private', [], ['ada']],
    ] as const)('limits a %s memory to its viewers', async (visibility, shared_with, seers) => {
      const word = `word${visibility}`
      const { id } = await remember(`a ${word}`, { visibility, shared_with })
      for (const name of all) {
        const sees = (seers as readonly (string | null)[]).includes(name)
        expect((await stand.ask(`GET /memories/${id}`, undefined, as(name))).status, `${name}`).toBe(sees ? 200 : 404)
        const { body } = await stand.ask('GET /memories?limit=200', undefined, as(name))
        expect(body.items.some((each: { id: string }) => each.id === id)).toBe(sees)
        expect(await found(word, name)).toHaveLength(sees ? 1 : 0)
        expect((await stand.ask('POST /memories/search', { query: word }, as(name))).body.total).toBe(sees ? 1 : 0)
        if (name !== null) expect(await found(word, 'operator', { as_actor: name })).toHaveLength(sees ? 1 : 0)
      }
      expect(await found(word, 'operator')).toHaveLength(1)
      const others = await stand.ask('PUT /memories/' + id + '/visibility', { visibility: 'public' }, as('eve'))
      expect(others.status).toBe(visibility === 'public' ? 403 : 404)
      expect((await stand.ask(`DELETE /memories/${id}`, undefined, as('eve'))).status).toBe(others.status)
    })

    test('applies a change at once', async () => {
      const { id } = await remember('a changeling', { visibility: 'shared', shared_with: ['bob'] })
      const share = (body: object) => stand.ask(`PUT /memories/${id}/visibility`, body, as('ada'))
      expect((await share({ visibility: 'shared', shared_with: ['eve'] })).body.shared_with).toEqual(['eve'])
      expect([await found('changeling', 'bob'), await found('changeling', 'eve')]).toEqual([[], ['a changeling']])
      expect((await share({ visibility: 'private' })).body).toMatchObject({ visibility: 'private', shared_with: [] })
      expect(await found('changeling', 'eve')).toEqual([])
      expect((await share({ visibility: 'public' })).status).toBe(200)
      expect(await found('changeling', null)).toEqual(['a changeling'])
    })

    test('does not treat names as patterns', async () => {
      await remember('a pattern', { visibility: 'private', created_by: '%' })
      for (const name of ['_', 'ada', "' OR 1=1 --", '*']) expect(await found('pattern', name)).toEqual([])
    })
  })

  test('searches by any word, type, tag and time, best first', async () => {
    await remember('deploy freeze until the audit', { tags: ['ops'], type: 'request' })
    stand.clock.tick(60_000)
    await remember('deploy with the blue script, freeze nothing, audit later: deploy freeze audit', { tags: ['dev'] })
    const words = 'deploy freeze audit unheard'
    expect(await found(words, null)).toHaveLength(2)
    expect(await found('blue script', null)).toEqual([expect.stringContaining('blue')])
    expect(await found(words, null, { type: 'request' })).toEqual(['deploy freeze until the audit'])
    expect(await found(words, null, { tags: ['dev', 'none'] })).toEqual([expect.stringContaining('blue')])
    const now = new Date(stand.clock.now()).toISOString()
    expect(await found(words, null, { from: now })).toEqual([expect.stringContaining('blue')])
    expect(await found(words, null, { to: new Date(stand.clock.now() - 1).toISOString() })).toHaveLength(1)
    expect(await found(words, null, { limit: 1 })).toHaveLength(1)
    const { body } = await stand.ask('POST /memories/search', { query: words })
    expect(body.total).toBe(2)
    expect(body.memories[0].score).toBeGreaterThan(0)
    expect(body.memories.map((each: { rank: unknown }) => each.rank)).toEqual([
      { words: 1, meaning: null },
      { words: 2, meaning: null },
    ])
    expect(await found('"; -- \' ) OR *', null)).toEqual([])
  })

  test('reports visible near-duplicates of a new memory', async () => {
    const first = await remember('The staging database is reset every night at two')
    const hidden = await remember('the staging database is reset every night, at three', { visibility: 'private' })
    const body = { content: 'the staging database is reset every night at TWO', created_by: 'bob' }
    const { body: made } = await stand.ask('POST /memories', body, as('bob'))
    expect(made.similar).toEqual([{ id: first.id, content: first.content, likeness: 1 }])
    expect(hidden.similar.map(({ id }: { id: string }) => id)).toEqual([first.id])
    expect((await remember('The weather in Lisbon is fine every night')).similar).toEqual([])
  })

  test('excludes a superseded memory from search but keeps it readable', async () => {
    const first = await remember('the okapi port is 1')
    const ada = as('ada')
    const next = async (content: string, supersedes: string) =>
      (await stand.ask('POST /memories', { content, created_by: 'ada', supersedes }, ada)).body
    const second = await next('the okapi port is 2', first.id)
    const third = await next('the okapi port is 3', second.id)
    expect((await stand.ask(`GET /memories/${first.id}`)).body).toMatchObject({ superseded_by: third.id })
    expect((await stand.ask(`GET /memories/${second.id}`)).body).toMatchObject({
      superseded_by: third.id,
      supersedes: first.id,
    })
    expect(await found('okapi', null)).toEqual(['the okapi port is 3'])
    await stand.ask(`DELETE /memories/${third.id}`, undefined, ada)
    expect((await stand.ask(`GET /memories/${second.id}`)).body.superseded_by).toBeNull()
    const stranger = { content: 'x', created_by: 'eve', supersedes: first.id }
    expect((await stand.ask('POST /memories', stranger, as('eve'))).status).toBe(403)
    const missing = { content: 'x', created_by: 'eve', supersedes: '7f2c1d1e-0000-4000-8000-000000000000' }
    expect((await stand.ask('POST /memories', missing)).status).toBe(404)
  })

  test.each([
    [{ content: '  ', created_by: 'a' }, 'content'],
    [{ content: 'x' }, 'created_by'],
    [{ content: 'x', created_by: 'a', type: 'rumour' }, 'type'],
    [{ content: 'x', created_by: 'a', visibility: 'secret' }, 'visibility'],
    [{ content: 'x', created_by: 'a', shared_with: ['b'] }, 'shared_with'],
    [{ content: 'x'.repeat(65_537), created_by: 'a' }, 'content'],
  ])('rejects %j and names the field', async (body, path) => {
    const answer = await stand.ask('POST /memories', body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toEqual([path])
  })
})
