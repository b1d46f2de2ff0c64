// A folder of files that crash parsers, or take much memory or time, is indexed while others are searched.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryOf, processTree } from '../../bench/memory.ts'
import { makeTree, type Tree } from '../../services/code-index/stand.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { hostileFiles } from './hostile-files.ts'

const FILES = 200
/** MiB. */
const MOST_OF_DAEMON = 700
/** MiB: its limit, and what it can use until that is checked. */
const MOST_OF_PARSER = 1024

let stand: DaemonStand
let good: Tree
let hostile: Tree
let pid: number
beforeAll(async () => {
  good = makeTree({ 'src/good.ts': 'export function innocentThing() {\n  return 1\n}\n' })
  hostile = makeTree({})
  for (const [name, content] of hostileFiles(FILES)) hostile.write(name, content)
  stand = await DaemonStand.create({
    env: {
      SVC_INDEX_EMBEDDING_PROVIDER: 'builtin',
      SVC_INDEX_LANGUAGES: 'typescript,javascript,python,rust,go,java',
      SVC_INDEX_WATCH_INTERVAL: '3600',
      SVC_INDEX_GREP_TIMEOUT_SECS: '60',
    },
  })
  pid = (await stand.start()).pid!
})
afterAll(async () => {
  await stand.close()
  for (const { path } of [good, hostile]) rmSync(path, { recursive: true })
})

const index = () => stand.urls.index!
const add = async (name: string, path: string): Promise<string> =>
  (await stand.ask('POST', `${index()}/repositories`, { name, path })).body.id
const state = (id: string) => stand.get(`${index()}/repositories/${id}/status`)
const search = async (query: string, repo_id: string) => {
  const asked = { query, repo_id, search_mode: 'keyword', limit: 5 }
  const { status, body } = await stand.ask('POST', `${index()}/search`, asked)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.results
}
const remembered = () => readFileSync(join(stand.dataDir, 'index', 'code_chunks', 'parser-faults.json'), 'utf8')

test('indexes hostile files within bounds while others are searched', { timeout: 300_000 }, async () => {
  const goodId = await add('good', good.path)
  await eventually(async () => (await state(goodId)).status === 'ready')
  const id = await add('hostile', hostile.path)
  let [searches, parserPeak] = [0, 0]
  const settled = await eventually(
    async () => {
      const others = processTree(pid).filter((each) => each !== pid)
      parserPeak = Math.max(parserPeak, ...others.map((each) => memoryOf([each], 'VmHWM')))
      const [found] = await search('innocentThing', goodId)
      expect(found).toMatchObject({ symbol_name: 'innocentThing' })
      const { status, body } = await stand.ask('POST', `${index()}/search/agentic`, {
        query: 'innocent',
        path: good.path,
      })
      expect([status, body.matches.length]).toEqual([200, 1])
      searches++
      const now = await state(id)
      return /ready|error/.test(now.status) && now
    },
    280_000,
    500,
  )
  expect(settled).toMatchObject({ status: 'ready', error_message: expect.stringContaining('split by lines') })
  expect(settled.progress.files).toBe(FILES)
  expect(settled.progress.chunks).toBeLessThan(FILES * 400)
  expect(process.kill(pid, 0)).toBe(true)
  expect(searches).toBeGreaterThan(1)
  const daemonPeak = memoryOf([pid], 'VmHWM')
  expect(daemonPeak).toBeLessThan(MOST_OF_DAEMON)
  expect(parserPeak).toBeLessThan(MOST_OF_PARSER)
  const [crashed] = JSON.parse(remembered()) as string[][]
  expect(crashed![1]).toMatch(/^(crashed|used|took)/)
  counted('hostile files: searches beside the indexing', searches)
})

test('finds hostile files by their lines, and shows what matched', async () => {
  const { repositories } = await stand.get(`${index()}/repositories`)
  const { id, error_message } = repositories.find((each: { name: string }) => each.name === 'hostile')
  const [, number] = /: (\d+)-nested/.exec(error_message)!
  for (const marker of [`marker${number}`, 'marker110', 'marker142']) {
    const [found] = await search(marker, id)
    expect(found.content, marker).toContain(marker)
    expect(found.content.length).toBeLessThanOrEqual(8000)
  }
  const asked = { query: 'needleAtTheEnd', path: hostile.path, context_lines: 0 }
  const { body } = await stand.ask('POST', `${index()}/search/agentic`, asked)
  expect(body.matches).toHaveLength(2)
  for (const { content } of body.matches) expect(content).toContain('needleAtTheEnd')
})

test('parses no file again that ended the parser, also after a restart', { timeout: 120_000 }, async () => {
  const before = remembered()
  await stand.stopBy('SIGKILL')
  pid = (await stand.start()).pid!
  const { repositories } = await stand.get(`${index()}/repositories`)
  const { id, error_message } = repositories.find((each: { name: string }) => each.name === 'hostile')
  await stand.ask('POST', `${index()}/repositories/${id}/reindex`)
  await eventually(async () => (await state(id)).status === 'ready', 110_000)
  expect((await state(id)).error_message).toBe(error_message)
  expect(remembered()).toBe(before)
})
