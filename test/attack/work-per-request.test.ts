// Requests that cost little to write and much to answer, from an agent, a client and an indexed repository. Meanwhile
// everybody else gets answers.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { counted } from '../support/counts.ts'
import { eventually } from '../support/eventually.ts'
import { makeTree } from '../services/code-index/stand.ts'
import { AttackedDaemon } from './frames/attacked-daemon.ts'

const PATIENCE = { timeout: 120_000 }
/** A busy machine slows everything down; before the limits this took at least 8 s on an idle one. */
const LONGEST_MS = 3000
const STARS = `${'*a'.repeat(11)}b`
const hostile = makeTree({
  '.gitignore': `${STARS}\n${'**/*a*a*a/'.repeat(20)}b\n`,
  [`src/${'a'.repeat(120)}.js`]: 'export function hostileThing() {}\n',
})
const good = makeTree({ 'src/good.js': 'export function innocentThing() {}\n' })
let attacked: AttackedDaemon
beforeAll(async () => {
  const env = { SVC_INDEX_EMBEDDING_PROVIDER: 'builtin', SVC_INDEX_WATCH_INTERVAL: '1', SVC_INDEX_TIMEOUT_SECS: '60' }
  attacked = await AttackedDaemon.start({ ...env, SVC_INDEX_WORKING_DIR: hostile.path })
}, 60_000)
afterAll(async () => {
  await attacked.close()
  hostile.remove()
  good.remove()
})

/** Asks for the health of a service again and again until `done` settles. Throws if an answer is late. */
async function healthBeside(service: string, done: Promise<unknown>): Promise<void> {
  const url = `${attacked.stand.urls[service]}/health`
  let isDone = false
  const settled = done.finally(() => (isDone = true))
  const healthy = async (): Promise<boolean> => {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(LONGEST_MS) })
    expect(status).toBe(200)
    return isDone
  }
  await Promise.all([settled, eventually(healthy, 60_000, 1)])
}

test('a command with more paths than can be checked is refused beside /health', PATIENCE, async () => {
  const hand = await attacked.connect(await attacked.createByHand('bad'))
  const folders = Array.from({ length: 8 }, (_, n) => `cd n${n};`).join('')
  const words = (word: string) => Array.from({ length: 480 }, (_, n) => word + n).join(' ')
  const commands = ['a/../'.repeat(24), 'a/'.repeat(60)].map((word) => `${folders}cat ${words(word)}`)
  const asked = [...commands, ...commands].map((command) => hand.answer(hand.askTool('Bash', { command })))
  const answered = Promise.all(asked)
  await healthBeside('orchestrator', answered)
  for (const { behavior, message } of await answered)
    expect([behavior, message]).toEqual(['deny', expect.stringContaining('it names too many paths to check at once')])
  await attacked.assertWell()
  counted('work per request: commands refused beside /health', asked.length)
})

const index = (): string => attacked.stand.urls.index!
const status = async (id: string) =>
  (await attacked.stand.get<{ status: string }>(`${index()}/repositories/${id}/status`)).status
const search = (query: string, more: object = {}) =>
  attacked.stand.ask('POST', `${index()}/search`, { query, search_mode: 'keyword', ...more })
const found = async (query: string) => (await search(query)).body.results[0]?.symbol_name

test('a repository with a hostile ignore file is indexed, and others too, also after a restart', PATIENCE, async () => {
  const add = async (name: string, path: string) =>
    (await attacked.stand.ask('POST', `${index()}/repositories`, { name, path })).body.id as string
  const ids = [await add('hostile', hostile.path), await add('good', good.path)]
  const ready = () => eventually(async () => (await Promise.all(ids.map(status))).every((each) => each === 'ready'))
  await healthBeside('index', ready())
  expect([await found('hostileThing'), await found('innocentThing')]).toEqual(['hostileThing', 'innocentThing'])
  await attacked.stand.stopBy('SIGKILL')
  good.write('src/later.js', 'export function laterThing() {}\n')
  await attacked.stand.start()
  await eventually(async () => (await found('laterThing')) === 'laterThing')
  await ready()
})

test.each([STARS, `*${'a'.repeat(100)}b*`, `${'**/*a*a*a/'.repeat(20)}b`, '{a,b}'.repeat(7), '+(a|a)+(a|a)b'])(
  'answers innocent searches beside those with the pattern %s',
  PATIENCE,
  async (file_pattern) => {
    const agentic = (more: object = {}) =>
      attacked.stand.ask('POST', `${index()}/search/agentic`, { query: 'hostileThing', ...more })
    const bad = [search('hostileThing', { file_pattern }), agentic({ file_pattern })]
    const innocent = [search('innocentThing'), agentic({ file_pattern: '*.js' })]
    const all = Promise.all([...bad, ...innocent])
    await healthBeside('index', all)
    const isRefused = /[{(]/.test(file_pattern)
    for (const { status, body } of await Promise.all(bad)) {
      expect(status).toBe(isRefused ? 422 : 200)
      if (isRefused) expect(body.detail).toContain(`file_pattern ${JSON.stringify(file_pattern)} has`)
    }
    const [words, lines] = await Promise.all(innocent)
    expect(words!.body.results[0]).toMatchObject({ symbol_name: 'innocentThing' })
    expect(lines!.body.matches).toMatchObject([{ file_path: join('src', `${'a'.repeat(120)}.js`) }])
  },
)
