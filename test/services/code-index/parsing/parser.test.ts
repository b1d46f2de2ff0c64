import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, expect, test } from 'vitest'
import { Parser } from '../../../../services/code-index/parsing/parser.ts'
import { ParserFaults } from '../../../../services/code-index/parsing/parser-faults.ts'
import { bridgeProgram } from '../../../support/built.ts'
import { eventually } from '../../../support/eventually.ts'

const PATIENCE = { timeout: 120_000 }
const program = join(dirname(bridgeProgram), 'svc-index-parser.js')
const folder = mkdtempSync(join(tmpdir(), 'svc-parser-'))
const newFolder = () => mkdtempSync(join(folder, 'faults-'))
const attemptsFile = join(folder, 'attempts')
writeFileSync(attemptsFile, '')

/** Behaves as the text says, and notes each attempt. */
const STAND_IN = `
import { appendFileSync, readFileSync } from 'node:fs'
const file = ${JSON.stringify(attemptsFile)}
process.on('disconnect', () => process.exit())
process.on('message', ({ id, method, input }) => {
  if (method === 'ready') return process.send({ id, result: null })
  const isFirst = !readFileSync(file, 'utf8').includes(input.text + ' ')
  appendFileSync(file, input.text + ' ' + process.pid + '\\n')
  if (input.text.startsWith('crash')) process.kill(process.pid, 'SIGSEGV')
  else if (input.text.startsWith('killed') && isFirst) process.kill(process.pid, 'SIGKILL')
  else if (input.text.startsWith('endless')) for (;;);
  else process.send({ id, result: [{ type: 'function', name: input.text, start: 0, end: 0, children: [] }] })
})
`
/** The program under a name of this test, which finds its processes. */
const named = join(folder, 'named.mjs')
writeFileSync(named, `await import(${JSON.stringify(pathToFileURL(program).href)})\n`)
const standIn = join(folder, 'stand-in.mjs')
writeFileSync(standIn, STAND_IN)

let parser: Parser | undefined
afterEach(() => parser?.stop())
afterAll(() => rmSync(folder, { recursive: true }))

const parse = (text: string, path = 'a.ts', language = 'typescript') => parser!.parse({ path, language }, text)
const names = async (text: string) => (await parse(text)).definitions.map(({ name }) => name)
/** Processes of the attempts to parse a text. */
const attempts = (text: string): string[] =>
  readFileSync(attemptsFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${text} `))
    .map((line) => line.slice(text.length + 1))

/** Command lines of processes that run a program. */
const processes = (path: string): string[] =>
  execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(path) && !line.includes(' -e '))

test('parses every language in one process, which ends when idle', PATIENCE, async () => {
  parser = new Parser({ program: named, folder: newFolder(), idleMs: 1000 })
  const texts: [path: string, language: string, text: string][] = [
    ['a.ts', 'typescript', 'export function one() {}'],
    ['a.js', 'javascript', 'function one() {}'],
    ['a.py', 'python', 'def one():\n    pass\n'],
    ['a.rs', 'rust', 'fn one() {}'],
    ['a.go', 'go', 'package a\nfunc one() {}\n'],
    ['A.java', 'java', 'class one {}'],
  ]
  const parsed = await Promise.all(texts.map(([path, language, text]) => parse(text, path, language)))
  expect(parsed.map(({ definitions: [first], fault }) => [first?.name, fault])).toEqual(texts.map(() => ['one', null]))
  expect(processes(named)).toHaveLength(1)
  await eventually(() => processes(named).length === 0)
  expect(await names('function again() {}')).toEqual(['again'])
})

test('survives texts that crash the parser', PATIENCE, async () => {
  parser = new Parser({ program, folder: newFolder() })
  const { definitions, fault } = await parse(`export const a = ${'['.repeat(500_000)}`)
  expect([definitions, fault]).toEqual([[], expect.stringMatching(/^crashed \(SIG\w+\)$/)])
  expect(await names('function good() {}')).toEqual(['good'])
})

test('ends at its memory limit', PATIENCE, async () => {
  parser = new Parser({ program, folder: newFolder() })
  const { definitions, fault } = await parse('a;'.repeat(6_000_000))
  expect([definitions, fault]).toEqual([[], 'used too much memory'])
  expect(await names('function good() {}')).toEqual(['good'])
})

test('tries a text that ended the process once more, and then never again', async () => {
  const place = newFolder()
  parser = new Parser({ program: standIn, folder: place })
  const crashed = { definitions: [], fault: 'crashed (SIGSEGV)' }
  expect(await parse('crash 1')).toEqual(crashed)
  expect(new Set(attempts('crash 1')).size).toBe(2)
  expect(await names('good 1')).toEqual(['good 1'])
  expect(await parse('crash 1')).toEqual(crashed)
  await parser.stop()
  parser = new Parser({ program: standIn, folder: place })
  expect(await parse('crash 1')).toEqual(crashed)
  expect(attempts('crash 1')).toHaveLength(2)
  // Another parser may read it.
  expect(await parse('crash 1', 'a.py', 'python')).toEqual(crashed)
  expect(attempts('crash 1')).toHaveLength(4)
})

test('does not blame a text for a process that was killed', async () => {
  parser = new Parser({ program: standIn, folder: newFolder() })
  expect(await names('killed 1')).toEqual(['killed 1'])
  const [, pid] = attempts('killed 1')
  process.kill(Number(pid), 'SIGKILL')
  expect(await names('good 2')).toEqual(['good 2'])
})

test('stops a text that takes too long, and parses the next ones', async () => {
  parser = new Parser({ program: standIn, folder: newFolder(), deadlineMs: 5000 })
  const parsed = await Promise.all(['good 3', 'endless 1', 'good 4'].map((text) => parse(text)))
  expect(parsed.map(({ fault }) => fault)).toEqual([null, 'took longer than 5 s', null])
  expect(attempts('endless 1')).toHaveLength(1)
})

test('blames no text if the process cannot be started', async () => {
  const place = newFolder()
  parser = new Parser({ program: join(folder, 'missing.mjs'), folder: place })
  await expect(parse('good 5')).rejects.toThrow(/^the parser process cannot be started: .*missing\.mjs.*: reindex/s)
  await parser.stop()
  await expect(parse('good 5')).rejects.toMatchObject({ kind: 'Stopped' })
  parser = new Parser({ program: standIn, folder: place })
  expect(await names('good 5')).toEqual(['good 5'])
})

test('ends with its parent while it parses', PATIENCE, async () => {
  const blocked = join(folder, 'blocked.mjs')
  writeFileSync(
    blocked,
    `await import('./named.mjs')\nprocess.on('message', ({ method }) => { if (method === 'definitions') for (;;); })\n`,
  )
  const script = `
const { fork } = require('node:child_process')
const child = fork(process.argv[1], [], { stdio: ['pipe', 'ignore', 'ignore', 'ipc'] })
child.on('message', () => child.send({ id: 1, method: 'definitions' }, () => console.log('parsing')))
child.send({ id: 0, method: 'ready', input: null })
`
  const parent = spawn(process.execPath, ['-e', script, blocked], { stdio: ['ignore', 'pipe', 'inherit'] })
  const isRunning = () => processes(blocked).length > 0
  await new Promise((resolve) => parent.stdout.once('data', resolve))
  expect(isRunning()).toBe(true)
  parent.kill('SIGKILL')
  await eventually(() => !isRunning())
})

test('starts with an empty memory if its file is damaged, and evicts the oldest text', async () => {
  parser = new Parser({ program: standIn, folder: newFolder() })
  const place = newFolder()
  const file = join(place, 'parser-faults.json')
  writeFileSync(file, '[["a"')
  expect(new ParserFaults(place).reason('a')).toBeNull()
  writeFileSync(file, JSON.stringify(Array.from({ length: 10_000 }, (_each, at) => [`text ${at}`, 'crashed'])))
  new ParserFaults(place).add('one more', 'crashed')
  const reasons = ['text 0', 'text 1', 'one more'].map((key) => new ParserFaults(place).reason(key))
  expect(reasons).toEqual([null, 'crashed', 'crashed'])
})
