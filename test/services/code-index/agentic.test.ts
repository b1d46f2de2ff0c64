import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { dirname, join } from 'node:path'
import { indexProgram } from '../../../daemon/package-root.ts'
import { agent } from '../../support/command.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { numbers } from '../../support/random.ts'
import { makeTree, startIndex, type IndexStand, type Tree } from './stand.ts'

let stand: IndexStand
let tree: Tree
let database: Awaited<ReturnType<typeof sqliteDatabase>>
beforeAll(async () => {
  tree = makeTree({
    'a.txt': 'first\nsecond (x)\nthird a+b\nfourth aab\nfifth {2}\n',
    'src/b.ts': "const café = 'é'\nexport const answer = 42\n\n// TODO: retry\n",
    'src/deep/c.ts': 'answer\nanswer answer\n',
    'node_modules/d.ts': 'answer\n',
    'hang.txt': `${' '.repeat(60)}é)${' )'.repeat(60)}\n`,
    'long.min.js': `var a = "${'x'.repeat(3_000_000)}"\nvar needle = 1\n${'y'.repeat(2_000_000)}needle\nneedle()\n`,
    'ends.md': 'zulu mike\r\nzulu\r\n\r\n',
    'data.bin': Buffer.from('answer\0answer'),
  })
  database = await sqliteDatabase()
  stand = await startIndex(database.url, { SVC_INDEX_WORKING_DIR: tree.path, SVC_INDEX_GREP_TIMEOUT_SECS: '1.5' })
})
afterAll(async () => {
  await stand.close()
  await database.remove()
  tree.remove()
})

const agentic = (body: object) => stand.ask('POST /search/agentic', body)
const places = async (body: object): Promise<string[]> => {
  const { status, body: reply } = await agentic(body)
  expect(status, JSON.stringify(reply)).toBe(200)
  return reply.matches.map(
    (each: { file_path: string; line_number: number }) => `${each.file_path}:${each.line_number}`,
  )
}

test('returns lines with context in file order, without ignored or binary files', async () => {
  const { body } = await agentic({ query: 'answer', context_lines: 1 })
  expect(body).toMatchObject({ total: 3, query_time_ms: expect.any(Number) })
  expect(body.matches[0]).toEqual({
    file_path: 'src/b.ts',
    line_number: 2,
    content: 'export const answer = 42',
    context_before: ["const café = 'é'"],
    context_after: [''],
  })
  expect(await places({ query: 'answer' })).toEqual(['src/b.ts:2', 'src/deep/c.ts:1', 'src/deep/c.ts:2'])
})

test('an anchor at the end matches before a carriage return', async () => {
  expect(await places({ query: 'mike$' })).toEqual(['ends.md:1'])
  expect(await places({ query: 'zulu$' })).toEqual(['ends.md:2'])
  expect(await places({ query: '^$', file_pattern: '*.md' })).toEqual(['ends.md:3'])
  expect(await places({ query: 'zulu\\$' })).toEqual([])
})

test('narrows by glob, path and limit', async () => {
  expect(await places({ query: 'a', file_pattern: '*.txt', limit: 1 })).toEqual(['a.txt:3'])
  expect(await places({ query: 'answer', file_pattern: 'src/*.ts' })).toEqual(['src/b.ts:2'])
  expect(await places({ query: 'answer', path: 'src/deep' })).toEqual(['c.ts:1', 'c.ts:2'])
  expect(await places({ query: 'answer', limit: 0 })).toHaveLength(1)
})

test.each([
  ['blank', { query: '  ' }, 'blank'],
  ['empty', { query: '' }, 'blank'],
  ['missing', {}, 'query'],
  ['of another type', { query: 7 }, 'query'],
  ['an invalid expression', { query: '\\(a' }, 'basic regular expression'],
  ['an invalid range', { query: '[b-a]' }, 'basic regular expression'],
  ['outside the repository', { query: 'root', path: '/etc' }, 'outside'],
  ['outside the repository through ..', { query: 'root', path: '../../../../etc' }, 'outside'],
  ['in a missing directory', { query: 'root', path: 'no/such' }, 'not a directory'],
])('rejects a query that is %s with 422', async (_what, body, said) => {
  const reply = await agentic(body)
  expect([reply.status, reply.body.code]).toEqual([422, 'unprocessable-content'])
  expect(reply.body.detail).toContain(said)
})

test('rejects an endless expression with 422 and kills its process', async () => {
  const { status, body } = await agentic({ query: '^\\(é*\\|\\(\\s*\\|)\\)*\\)*', file_pattern: 'hang.txt' })
  expect([status, body.detail]).toEqual([422, expect.stringContaining('took longer than 1.5 s')])
  await eventually(() => !processes().some((command) => command.includes('hang.txt')))
})

test('ends the grep process with the daemon, even if killed', { timeout: 90_000 }, async () => {
  const name = `hang-${randomUUID()}.txt`
  const own = makeTree({ [name]: `${' '.repeat(60)}é)${' )'.repeat(60)}\n` })
  const script = `
const { fork } = require('node:child_process')
const [program, asked] = process.argv.slice(1)
fork(program, [process.env.PATH]).send({ id: 0, method: 'grep', input: JSON.parse(asked) })
`
  const asked = {
    pattern: `^\\(é*\\|\\(\\s*\\|)\\)*\\)*\\|${name}`,
    root: own.path,
    hidden: [],
    filePattern: '*',
    ignore: [],
    contextLines: 0,
    limit: 1,
    deadlineMs: 1000,
  }
  const program = join(dirname(indexProgram()), 'svc-index-grep.js')
  const child = spawn(process.execPath, ['-e', script, program, JSON.stringify(asked)])
  const isThere = () => processes().some((command) => command.includes(name) && command.startsWith('grep'))
  await eventually(isThere)
  child.kill('SIGKILL')
  await eventually(() => !isThere(), 60_000)
  own.remove()
})

test('searches in a separate process that can be killed at any time', async () => {
  await places({ query: 'answer' })
  const mine = () =>
    readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .filter((pid) => parentOf(pid) === process.pid && commandOf(pid).includes('svc-index-grep.js'))
  const [first, ...others] = mine()
  expect([typeof first, others]).toEqual(['string', []])
  process.kill(Number(first), 'SIGKILL')
  await eventually(async () => (await agentic({ query: 'answer' })).status === 200)
  expect(mine()).toEqual([expect.not.stringMatching(`^${first}$`)])
})

test('finds lines after a line of several megabytes', async () => {
  expect(await places({ query: 'needle', file_pattern: '*.min.js' })).toEqual([
    'long.min.js:2',
    'long.min.js:3',
    'long.min.js:4',
  ])
  const { body } = await agentic({ query: 'needle', file_pattern: '*.min.js', context_lines: 1 })
  expect(body.matches[0].context_before[0]).toHaveLength(4000)
  expect(body.matches[2].content).toBe('needle()')
})

test('finds files whose names contain newlines and control characters', async () => {
  const names = ['\nfirst.js', '--\n1:spoof.js', 'a\n./src/b.ts', 'n\u001b[31m\nl.js', 'new\nfolder/\r.js']
  const odd = makeTree({
    '.gitignore': '*left*\n',
    ...Object.fromEntries(names.map((name) => [name, 'before\nescape_me -- 2:\nafter\n'])),
    'a\nleft.js': 'escape_me\n',
  })
  onTestFinished(odd.remove)
  const { id } = (await stand.ask('POST /repositories', { name: 'odd', path: odd.path })).body
  const { status, body } = await agentic({ query: 'escape_me', path: odd.path, context_lines: 1 })
  expect(status, JSON.stringify(body)).toBe(200)
  const match = { line_number: 2, content: 'escape_me -- 2:', context_before: ['before'], context_after: ['after'] }
  expect(body.matches).toEqual(names.map((name) => ({ file_path: name, ...match })))
  const env = { SVC_INDEX_SERVICE_URL: stand.host.urls.index!, NO_COLOR: '1' }
  const { stdout } = await agent(['index', 'search-agentic', 'escape_me', '--path', odd.path, '--context-lines', '0'], {
    env,
  })
  expect(stdout.trim().split('\n').slice(0, -1)).toEqual([
    '\\u000afirst.js:2: escape_me -- 2:',
    '--\\u000a1:spoof.js:2: escape_me -- 2:',
    'a\\u000a./src/b.ts:2: escape_me -- 2:',
    'n\\u001b[31m\\u000al.js:2: escape_me -- 2:',
    'new\\u000afolder/\\u000d.js:2: escape_me -- 2:',
  ])
  await stand.ask(`DELETE /repositories/${id}`)
})

test('finds the other files beside a path that is too long to open', async () => {
  const deep = makeTree({ 'a.txt': 'needle_beside\n' })
  onTestFinished(() => void execFileSync('rm', ['-rf', deep.path]))
  const { id } = (await stand.ask('POST /repositories', { name: 'deep', path: deep.path })).body
  onTestFinished(async () => void (await stand.ask(`DELETE /repositories/${id}`)))
  const dig = 'for at in $(seq 50); do mkdir $1 && cd -P $1 || exit 1; done; echo needle_beside > b.txt'
  execFileSync('bash', ['-c', dig, 'bash', 'd'.repeat(100)], { cwd: deep.path })
  expect(await places({ query: 'needle_beside', path: deep.path })).toEqual(['a.txt:1'])
})

test('validates the expression even if no file is searched', async () => {
  expect((await agentic({ query: '\\(a', file_pattern: '*.none' })).status).toBe(422)
  expect(await places({ query: 'a', file_pattern: '*.none' })).toEqual([])
})

const processes = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandOf)

/** Empty for a process that has exited. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function parentOf(pid: string): number | null {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return null
  }
}

test('finds the same lines as grep for random expressions', { timeout: 90_000 }, async () => {
  const random = numbers(11)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const atoms = [
    'a',
    'b',
    '.',
    'answer',
    '\\(a\\)',
    '[a-c]',
    '[^a]',
    '\\{2\\}',
    '*',
    '+',
    '\\+',
    '\\?',
    '^',
    '$',
    'é',
    '(',
    '\\|',
    '\\.',
    '[[:digit:]]',
    '\\w',
    '\\b',
  ]
  let compared = 0
  for (let round = 0; round < 120; round++) {
    const query = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(atoms)).join('')
    const wanted = grepped(query)
    const { status, body } = await agentic({ query, limit: 200, file_pattern: '{a.txt,src/**}', context_lines: 0 })
    if (wanted === null) {
      expect(status, query).toBe(422)
      continue
    }
    expect(status, `${query}: ${JSON.stringify(body)}`).toBe(200)
    const found = body.matches.map((each: any) => `${each.file_path}:${each.line_number}:${each.content}`)
    expect(found, query).toEqual(wanted)
    compared++
  }
  expect(compared).toBeGreaterThan(60)
})

/** Runs grep directly; returns null for an invalid expression. */
function grepped(query: string): string[] | null {
  try {
    const env = { PATH: process.env.PATH!, LC_ALL: 'C.UTF-8' }
    const options = { cwd: tree.path, env, encoding: 'utf8' as const, stdio: 'pipe' as const }
    return execFileSync('grep', ['-nH', '-e', query, 'a.txt', 'src/b.ts', 'src/deep/c.ts'], options)
      .trimEnd()
      .split('\n')
  } catch (error) {
    return (error as { status: number }).status === 1 ? [] : null
  }
}
