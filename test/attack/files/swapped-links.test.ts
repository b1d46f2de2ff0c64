// The daemon's files are unreachable through a folder that is swapped for a link to them while requests use it.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { whileSwapped } from '../../platform/files/swapped-folder.ts'
import { Canaries } from '../secrets/canaries.ts'

const ROUNDS = 1000
/** Requests in flight: the daemon and the other process share two cores. */
const AT_ONCE = 4
/** The daemon wrote all other files of the data directory. */
const PLANTED = ['key', 'planted.yml', 'canary.ts']
/** Naive reads after each request. */
const LOOKS = 20
/** Afterwards, if none hit; they block this process. */
const MOST_LOOKS = 20_000
/** Of a folder that is there, closed, or between two states; on a busy machine of a service that did not answer in time. */
const EXPECTED = [
  'unavailable',
  'accepted',
  'path-closed',
  'directory-missing',
  'not-a-repository',
  'name-taken',
  'invalid-input',
  'unprocessable-content',
]
/** Of a source that does not settle. */
const UNSETTLED = ['source-unreadable']

const canaries = new Canaries()
const emitted: [where: string, content: string | Buffer][] = []
let stand: DaemonStand
let key: string
/** Named by requests. */
let swapped: string
/** Of a source, which is read meanwhile. */
let swappedSource: string
let agentId: string
let repositoryId: string

beforeAll(async () => {
  stand = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'debug' } })
  stand.env.SVC_INDEX_WORKING_DIR = stand.home
  stand.env.SVC_WRAP_GENERAL_COMMAND = 'no-such-program'
  swapped = join(stand.project, 'around', 'swapped')
  swappedSource = join(stand.manifests, 'documents', 'swapped')
  mkdirSync(stand.dataDir, { mode: 0o700 })
  for (const folder of [swapped, swappedSource]) {
    writeTree(folder, 'harmless')
    writeFileSync(join(folder, 'key'), 'harmless\n')
  }
  writeTree(stand.dataDir, canaries.plant('the data directory'))
  stand.write('documents/read.yml', 'name: read\ntitle: read\ncontent_file: swapped/key\n')
  stand.write('agents/one.yml', 'name: one\nruntime: scripted\nshell: bash\nworking_dir: .\n')
  stand.write(
    'workflows/w.yml',
    'name: w\nagent: one\ntrigger_config: {type: manual}\nprompt_template_file: ../documents/swapped/key\n',
  )
  await stand.startReady()
  key = readFileSync(join(stand.dataDir, 'key'), 'utf8').trim()
  expect(key).toMatch(/^[\da-f]{64}$/)
  const raw = Buffer.from(key, 'hex')
  for (const [form, value] of Object.entries({
    hex: key,
    'its beginning': key.slice(0, 32),
    'upper case': key.toUpperCase(),
    raw: raw.toString('latin1'),
    base64: raw.toString('base64'),
  }))
    canaries.add(`the key (${form})`, value)
  agentId = (await stand.agentNamed('one')).id
  const body = { name: 'around', path: join(stand.project, 'around') }
  repositoryId = (await stand.ask<{ id: string }>('POST', `${stand.urls.index}/repositories`, body)).body.id
}, 60_000)
afterAll(() => stand.close())

function writeTree(folder: string, content: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'planted.yml'), `name: planted\ntitle: ${content}\ncontent: ${content}\n`)
  writeFileSync(join(folder, 'canary.ts'), `export function canary() { return '${content}' }\n`)
}

interface Answer {
  status: number
  text: string
}
type Send = (method: string, service: string, path: string, body?: object) => Promise<Answer>

const isAccepted = ({ status }: Answer): boolean => status < 300
const search = (send: Send, path: string, query = '^') =>
  send('POST', 'index', '/search/agentic', { query, path, limit: 200, context_lines: 2 })

/** Only a change is checked. */
const elsewhere = () => ({ working_dir: stand.project, worktree: false })

type Uses = Record<string, [rounds: number, (send: Send, round: number) => Promise<Answer>]>

/** Requests that name the folder, with the number of rounds of each; `ROUNDS` in all. */
const REQUESTS: Uses = {
  'a search in it': [310, (send) => search(send, swapped)],
  'a search around it': [60, (send) => search(send, join(stand.project, 'around'), 'a')],
  'a repository of it': [
    250,
    async (send, round) => {
      const made = await send('POST', 'index', '/repositories', { name: `r${round}`, path: swapped })
      if (!isAccepted(made)) return made
      const { id } = JSON.parse(made.text) as { id: string }
      await send('POST', 'index', '/search', { query: 'canary', repository: id })
      await send('DELETE', 'index', `/repositories/${id}`)
      return made
    },
  ],
  'a repository around it': [
    20,
    async (send) => {
      await send('POST', 'index', `/repositories/${repositoryId}/reindex`)
      return send('POST', 'index', '/search', { query: 'canary' })
    },
  ],
  'a working directory': [
    30,
    async (send) => {
      await send('PATCH', 'orchestrator', `/agents/${agentId}`, elsewhere())
      return send('PATCH', 'orchestrator', `/agents/${agentId}`, { config: { working_dir: swapped } })
    },
  ],
  'a worktree': [
    20,
    async (send) => {
      await send('PATCH', 'orchestrator', `/agents/${agentId}`, elsewhere())
      return send('PATCH', 'orchestrator', `/agents/${agentId}`, { working_dir: swapped, worktree: true })
    },
  ],
  'an additional directory': [
    30,
    async (send) => {
      await send('DELETE', 'orchestrator', `/agents/${agentId}/dirs`, { path: swapped })
      return send('POST', 'orchestrator', `/agents/${agentId}/dirs`, { path: swapped })
    },
  ],
  'a new agent': [
    10,
    async (send, round) => {
      const spec = { name: `new-${round}`, runtime: 'scripted', shell: 'bash', working_dir: swapped }
      const made = await send('POST', 'orchestrator', '/agents', spec)
      if (isAccepted(made)) await send('DELETE', 'orchestrator', `/agents/${(JSON.parse(made.text) as AgentRecord).id}`)
      return made
    },
  ],
  'a session': [
    270,
    (send, round) =>
      send('POST', 'wrap', '/launch', {
        project_name: `s${round}`,
        project_path: swapped,
        agent_type: 'general',
        model_provider: 'none',
        model_name: 'none',
      }),
  ],
}

/** Each may wait 10 s in vain for the folder to settle, one after the other: rounds are limited by time. */
const PASSES: Uses = {
  'a plan of its source': [3, (send) => send('POST', 'controller', '/plan', { source: 'default', keep_drift: true })],
  'a pass over its source': [15, (send) => send('POST', 'controller', '/sources/default/sync', {})],
  'an export': [8, (send) => send('GET', 'controller', '/export')],
}
const MOST_PASSES_MS = 15_000

/** Operations that check the folder before they accept it. */
const REFUSING = [
  'a search in it',
  'a repository of it',
  'a working directory',
  'a worktree',
  'an additional directory',
  'a new agent',
  'a session',
]

const answers = new Map<string, Set<string>>()
/** Times that the key was read although the folder had been checked just before. */
let naive = 0

async function ask(use: string, round: number): Promise<void> {
  const { status, text } = await { ...REQUESTS, ...PASSES }[use]![1](sendFor(use), round)
  const code = status < 400 ? 'accepted' : (JSON.parse(text) as { code: string }).code
  const what = status === 500 ? text : code
  answers.set(use, (answers.get(use) ?? new Set()).add(what))
}

function readNaively(folder: string): void {
  try {
    const isChecked = realpathSync(folder) === folder
    if (isChecked && readFileSync(join(folder, 'key'), 'utf8').trim() === key) naive++
  } catch {
    // Between two states.
  }
}

/** Starts no request after `mostMs`. Returns the number of rounds. */
async function attack(folder: string, uses: Uses, mostMs?: number): Promise<number> {
  const left = Object.entries(uses).flatMap(([use, [rounds]]) =>
    Array.from({ length: rounds }, (_each, round) => ({ use, round, place: round / rounds })),
  )
  // Alternates between the uses, so that each has its turn before the time is up.
  left.sort((a, b) => b.place - a.place)
  let rounds = 0
  const askAll = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      rounds++
      await ask(next.use, next.round)
      for (let look = 0; look < LOOKS; look++) readNaively(folder)
    }
  }
  await whileSwapped(folder, stand.dataDir, async () => {
    const end = mostMs === undefined ? undefined : setTimeout(() => left.splice(0), mostMs)
    await Promise.all(Array.from({ length: AT_ONCE }, askAll))
    clearTimeout(end)
    for (let look = 0; naive === 0 && look < MOST_LOOKS; look++) readNaively(folder)
  })
  return rounds
}

/** A slow operation may not meet the link in its few rounds. */
async function askWhileLinked(): Promise<void> {
  renameSync(swapped, `${swapped}-away`)
  symlinkSync(stand.dataDir, swapped)
  for (const use of REFUSING) await ask(use, ROUNDS)
  unlinkSync(swapped)
  renameSync(`${swapped}-away`, swapped)
}

test('is swapped between a check and a use, also during requests', { timeout: 900_000 }, async () => {
  expect(await attack(swapped, REQUESTS)).toBe(ROUNDS)
  await attack(swappedSource, PASSES, MOST_PASSES_MS)
  for (const use of Object.keys(PASSES)) expect(answers.has(use), use).toBe(true)
  expect(naive).toBeGreaterThan(0)
  await askWhileLinked()
  for (const use of REFUSING) expect([...answers.get(use)!], use).toContain('path-closed')
  for (const [use, seen] of answers)
    for (const what of seen) expect(use in PASSES ? [...EXPECTED, ...UNSETTLED] : EXPECTED, use).toContain(what)
  expect(REFUSING.some((use) => answers.get(use)!.has('accepted'))).toBe(true)
})

test('shows no byte of the key or the data directory', async () => {
  await stand.stopBy('SIGTERM')
  emitted.push(['the log', stand.output])
  for (const name of readdirSync(stand.dataDir, { recursive: true, encoding: 'utf8' })) {
    const file = join(stand.dataDir, name)
    if (!PLANTED.includes(name) && statSync(file).isFile()) emitted.push([name, readFileSync(file)])
  }
  expect(emitted.some(([where, content]) => where === 'svc.db' && content.includes('harmless'))).toBe(true)
  expect(emitted.flatMap(([where, content]) => canaries.seenIn(where, content))).toEqual([])
  counted('swapped links: answers, files and logs searched', emitted.length)
  counted('swapped links: reads of the key by a naive reader', naive)
})

const sendFor =
  (use: string): Send =>
  async (method, service, path, body) => {
    const response = await fetch(stand.urls[service]! + path, {
      method,
      // The daemon may close a connection that was kept while this process blocks.
      headers: { connection: 'close', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    emitted.push([`${use}: ${method} ${path} ${response.status}`, text])
    return { status: response.status, text }
  }
