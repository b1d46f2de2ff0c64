import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { SourceCheckout } from '../../../../controller/reading/git/source-checkout.ts'
import { TestClock } from '../../../../platform/core/clock.ts'
import { noLog, type Log } from '../../../../platform/core/log/log.ts'
import { Mirror } from '../../../../platform/git/mirror.ts'
import { Origin } from '../../../platform/git/origin.ts'
import { eventually } from '../../../support/eventually.ts'

let origin: Origin
let mirror: Mirror
let clock: TestClock
let busy: () => Promise<string[]>
let logged: string[]
let checkout: SourceCheckout
let first: string
const file = (name: string) => join(origin.home, 'checkouts', 'team', name)
const text = (name: string) => readFileSync(file(name), 'utf8')

function opened(): SourceCheckout {
  const write = (_facts: unknown, what: string) => void logged.push(what)
  const made = new SourceCheckout(
    {
      kinds: [],
      home: origin.home,
      env: { PATH: process.env.PATH },
      clock,
      log: { ...noLog, info: write, warn: write } as Log,
      folder: join(origin.home, 'sources', 'team'),
      checkout: file(''),
      busyIn: () => busy(),
      place: { url: origin.url, ref: {}, path: '', pollSecs: 60, credentials: {}, verify: null },
    },
    mirror,
  )
  onTestFinished(() => made.stop())
  return made
}

beforeEach(async () => {
  origin = new Origin()
  clock = new TestClock(0)
  busy = async () => []
  logged = []
  const env = { PATH: process.env.PATH }
  const folder = join(origin.home, 'sources', 'team', 'mirror.git')
  mirror = new Mirror({ folder, url: origin.url, env, home: origin.home, credentials: {} })
  first = origin.commit({ 'a.md': '1', 'src/b.ts': '1', '.gitignore': 'built\n' })
  checkout = opened()
  await follow(first)
})

async function follow(commit: string): Promise<void> {
  await mirror.fetch(commit)
  await checkout.follow(commit)
}

test('has the files of the commit and follows newer ones', async () => {
  expect([text('a.md'), checkout.condition(), checkout.trouble()]).toEqual(['1', null, null])
  await follow(origin.commit({ 'a.md': '2', 'src/b.ts': null, 'c.md': '2' }))
  expect([text('a.md'), text('c.md'), existsSync(file('src'))]).toEqual(['2', '2', false])
})

test('stays while an agent is busy, and moves when it is idle', async () => {
  let asked = 0
  busy = async () => (asked++, ['agents/planner'])
  await follow(origin.commit({ 'a.md': '2' }))
  expect([text('a.md'), checkout.condition(), checkout.trouble()]).toEqual(['1', null, null])
  clock.tick(10_000)
  await eventually(() => asked > 1)
  expect([text('a.md'), logged]).toEqual(['1', ['checkout moves when its agents are idle']])
  busy = async () => []
  await eventually(() => (clock.tick(10_000), text('a.md') === '2'))
})

test('stays while it is unknown whether agents are busy', async () => {
  busy = async () => {
    throw new Error('observe agents: no answer')
  }
  await follow(origin.commit({ 'a.md': '2' }))
  expect(text('a.md')).toBe('1')
})

test('stays if an agent becomes busy while changes are listed', async () => {
  let asked = 0
  busy = async () => (++asked === 1 ? [] : ['agents/planner'])
  await follow(origin.commit({ 'a.md': '2' }))
  expect(text('a.md')).toBe('1')
})

const CHANGES: Record<string, [() => void, string]> = {
  'a changed file': [() => writeFileSync(file('a.md'), 'mine'), 'a.md'],
  'a new file': [() => writeFileSync(file('notes.md'), 'mine'), 'notes.md'],
  'a deleted file': [() => rmSync(file('src/b.ts')), 'src/b.ts'],
  'a file in place of a folder': [
    () => {
      rmSync(file('src'), { recursive: true })
      writeFileSync(file('src'), 'mine')
    },
    'src',
  ],
  'a folder replaced by a link': [
    () => {
      rmSync(file('src'), { recursive: true })
      mkdirSync(join(origin.home, 'secret'))
      writeFileSync(join(origin.home, 'secret', 'b.ts'), 'mine')
      symlinkSync(join(origin.home, 'secret'), file('src'))
    },
    'src',
  ],
}

test.each(Object.keys(CHANGES))('stays with %s, names it, and discards nothing', async (name) => {
  const [change, changed] = CHANGES[name]!
  change()
  await follow(origin.commit({ 'src/b.ts': '2', 'c.md': '2' }))
  expect(existsSync(file('c.md'))).toBe(false)
  expect(checkout.condition()).toMatchObject({
    type: 'CheckoutDirty',
    status: 'True',
    reason: 'LocalChanges',
    message: expect.stringMatching(
      new RegExp(`stays at commit ${first}, because it has changes.*${JSON.stringify(changed)}.*undo them here`),
    ),
  })
  if (existsSync(join(origin.home, 'secret')))
    expect(readFileSync(join(origin.home, 'secret', 'b.ts'), 'utf8')).toBe('mine')
})

test('names ten changed files at most, and logs the same ones once', async () => {
  for (let number = 10; number < 25; number++) writeFileSync(file(`new-${number}`), '')
  const next = origin.commit({ 'a.md': '2' })
  await follow(next)
  await follow(next)
  expect(checkout.condition()!.message).toMatch(/"new-10".*"new-19" and 5 more;/)
  expect(logged).toEqual(['checkout has local changes'])
})

test('moves once the changes are undone, also after a restart', async () => {
  writeFileSync(file('a.md'), 'mine')
  const next = origin.commit({ 'c.md': '2' })
  await follow(next)
  await checkout.stop()
  checkout = opened()
  await checkout.follow(next)
  expect(checkout.condition()).not.toBe(null)
  writeFileSync(file('a.md'), '1')
  await eventually(() => (clock.tick(10_000), existsSync(file('c.md'))))
  await eventually(() => checkout.condition() === null)
})

test('keeps ignored files, and names the one that a commit would replace', async () => {
  mkdirSync(file('built'))
  writeFileSync(file('built/out.js'), 'mine')
  await follow(origin.commit({ 'a.md': '2' }))
  expect([text('a.md'), text('built/out.js')]).toEqual(['2', 'mine'])
  origin.git('rm', '--quiet', '--cached', '.gitignore')
  writeFileSync(join(origin.folder, '.git', 'info', 'exclude'), '')
  mkdirSync(join(origin.folder, 'built'))
  writeFileSync(join(origin.folder, 'built', 'out.js'), 'theirs')
  origin.git('add', '--force', 'built/out.js')
  origin.git('commit', '--quiet', '-m', 'built')
  await follow(origin.git('rev-parse', 'HEAD'))
  expect(text('built/out.js')).toBe('mine')
  expect(checkout.trouble()).toMatch(/is not at commit .*: it adds built, where an ignored file is: move that away/)
})

test('makes a folder that was removed again', async () => {
  rmSync(file(''), { recursive: true })
  await checkout.follow(first)
  expect(text('a.md')).toBe('1')
})

test('starts an interrupted checkout from the start', async () => {
  rmSync(file(''), { recursive: true })
  const left = join(origin.home, 'sources', 'team', 'index.files')
  mkdirSync(left)
  writeFileSync(join(left, 'a.md'), 'half')
  await checkout.follow(first)
  expect([text('a.md'), existsSync(left)]).toEqual(['1', false])
})

test('finishes a move that was interrupted, and keeps what others changed since', async () => {
  const next = origin.commit({ 'a.md': '2', 'c/d.md': '2', 'src/b.ts': null })
  await mirror.fetch(next)
  await mirror.keep('checkout-next', next)
  writeFileSync(file('a.md'), '2')
  rmSync(file('src'), { recursive: true })
  writeFileSync(join(origin.home, 'sources', 'team', 'index.lock'), '')
  writeFileSync(file('notes.md'), 'mine')
  await checkout.follow(next)
  expect(checkout.condition()!.message).toMatch(/changes that are in no commit: "notes.md";/)
  rmSync(file('notes.md'))
  const newest = origin.commit({ 'a.md': '3' })
  await follow(newest)
  expect([text('a.md'), text('c/d.md'), existsSync(file('src')), checkout.trouble()]).toEqual(['3', '2', false, null])
})

test('never replaces a folder of another origin', async () => {
  rmSync(join(origin.home, 'sources', 'team', 'mirror.git'), { recursive: true })
  mirror = new Mirror({
    folder: join(origin.home, 'sources', 'team', 'mirror.git'),
    url: origin.url,
    env: { PATH: process.env.PATH },
    home: origin.home,
    credentials: {},
  })
  checkout = opened()
  writeFileSync(file('a.md'), 'mine')
  await follow(first)
  expect([text('a.md'), checkout.trouble()]).toEqual([
    'mine',
    expect.stringMatching(/files of another origin: move it away/),
  ])
})

test('takes over the folder of an earlier version', async () => {
  writeFileSync(file('notes.md'), 'mine')
  renameSync(file(''), join(origin.home, 'sources', 'team', 'project'))
  await checkout.follow(first)
  expect(text('notes.md')).toBe('mine')
})
