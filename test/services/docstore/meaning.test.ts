// Uses a stub of an OpenAI-compatible embedding endpoint.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { startDocstore, type DocstoreStand } from './stand.ts'

/** One dimension per list of synonyms. */
const MEANINGS = [
  ['car', 'automobile', 'vehicle'],
  ['cat', 'feline', 'kitten'],
  ['deploy', 'release', 'ship'],
]
const vectorOf = (input: string) => [
  ...MEANINGS.map((words) => (words.some((word) => input.toLowerCase().includes(word)) ? 1 : 0)),
  0.1,
]

let endpoint: Server
let answer: (input: string[]) => unknown
const usual = (input: string[]) => ({
  data: input.map((each, index) => ({ index, embedding: vectorOf(each) })).reverse(),
})
const asked: { authorization: string | undefined; model: string; input: string[] }[] = []
beforeAll(async () => {
  answer = usual
  endpoint = createServer(async (request, response) => {
    const { model, input } = JSON.parse(await text(request))
    asked.push({ authorization: request.headers.authorization, model, input })
    const made = answer(input)
    response.writeHead(made === null ? 500 : 200, { 'content-type': 'application/json' })
    response.end(typeof made === 'string' ? made : JSON.stringify(made))
  })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
})
afterAll(() => endpoint.close())

onEachDatabase((database) => {
  let stand: DocstoreStand
  beforeAll(async () => {
    const { port } = endpoint.address() as AddressInfo
    const env = {
      SVC_DOCSTORE_EMBEDDING_ENDPOINT: `http://127.0.0.1:${port}/v1/`,
      SVC_DOCSTORE_EMBEDDING_MODEL: 'tiny',
      SVC_DOCSTORE_EMBEDDING_KEY_VARIABLE: 'MY_KEY',
      MY_KEY: 'key-5512',
    }
    stand = await startDocstore(database.url, { env })
  })
  afterAll(() => stand.close())

  const remember = async (content: string, more: object = {}): Promise<string> =>
    (await stand.ask('POST /memories', { content, created_by: 'ada', ...more })).body.id
  const embedded = (many: number) =>
    eventually(async () => {
      stand.clock.tick(60_000)
      return (await stand.db('docstore_memory_vectors')).length === many
    })
  const found = async (query: string, actor = 'tester', more: object = {}) => {
    const { body } = await stand.ask('POST /memories/search', { query, ...more }, { 'x-svc-actor': actor })
    expect(body.total).toBe(body.memories.length)
    return body.memories.map(({ content }: { content: string }) => content)
  }

  test('finds memories by synonym and by word', async () => {
    await remember('the automobile is in the garage')
    const kitten = await remember('a kitten sleeps', { tags: ['pets'] })
    await remember('a private vehicle', { visibility: 'private' })
    await embedded(3)
    expect(await found('car')).toEqual(['the automobile is in the garage'])
    expect(await found('car', 'ada')).toHaveLength(2)
    expect(await found('feline', 'tester', { tags: ['pets'] })).toEqual(['a kitten sleeps'])
    expect(await found('feline', 'tester', { tags: ['others'] })).toEqual([])
    expect(await found('garage cat')).toEqual(['the automobile is in the garage', 'a kitten sleeps'])
    const { body } = await stand.ask('POST /memories/search', { query: 'garage cat' }, { 'x-svc-actor': 'tester' })
    expect(body.memories).toMatchObject([{ rank: { words: 1 } }, { rank: { words: null, meaning: 1 } }])
    expect(asked.every(({ authorization, model }) => authorization === 'Bearer key-5512' && model === 'tiny')).toBe(
      true,
    )
    await stand.ask(`DELETE /memories/${kitten}`, undefined, { 'x-svc-actor': 'ada' })
    expect(await found('feline')).toEqual([])
    await embedded(2)
    expect(stand.log()).not.toContain('key-5512')
  })

  test.each([
    ['fails', () => null],
    ['returns no JSON', () => 'no JSON'],
    ['returns too few vectors', () => ({ data: [] })],
    ['returns invalid vectors', () => ({ data: [{ index: 0, embedding: ['x'] }] })],
    [
      'changes its dimensions',
      (input: string[]) => ({ data: input.map((_each, index) => ({ index, embedding: [1, 0] })) }),
    ],
  ])('finds memories by words if the endpoint %s', async (_what, other) => {
    answer = other
    expect(await found('garage')).toEqual(['the automobile is in the garage'])
    answer = usual
  })
})
