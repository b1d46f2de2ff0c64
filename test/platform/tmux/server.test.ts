import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Mux } from '../../../platform/mux.ts'
import { createTmux, sessionEnvironment } from '../../../platform/tmux.ts'
import { TmuxServer } from '../../../platform/tmux/server.ts'
import { eventually } from '../../support/eventually.ts'

let folder: string
let socket: string
let mux: Mux
const sleeps = { directory: '/', command: ['sleep', '60'] }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-tmux-'))
  socket = `svc-test-${randomBytes(6).toString('hex')}`
  // Every call of tmux is a line in `calls`.
  writeFileSync(
    join(folder, 'tmux'),
    `#!/bin/sh\necho "$$ $*" >> ${folder}/calls\nPATH='${process.env.PATH}' exec tmux "$@"\n`,
    { mode: 0o755 },
  )
  mux = createTmux({ socket, env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` } })
})

afterEach(async () => {
  await mux.close()
  await byHand('kill-server')
  rmSync(folder, { recursive: true, force: true })
})

const byHand = (...args: string[]) => execa('tmux', ['-L', socket, ...args], { reject: false })
const calls = () =>
  existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n') : []
/** Process ids of the clients that stay, the last one last. */
const clients = () => calls().flatMap((call) => (call.includes(' -C ') ? [Number(call.split(' ')[0])] : []))
const sessionsByHand = async () => (await byHand('list-sessions', '-F', '#S')).stdout.split('\n').filter(Boolean)
test('asks by one client that stays, once there are sessions', async () => {
  await mux.launch({ name: 'one', ...sleeps })
  for (let round = 0; round < 10; round++) {
    expect(await mux.get('one')).toMatchObject({ dead: false })
    expect(await mux.list()).toHaveLength(1)
    expect(await mux.panes()).toHaveLength(1)
  }
  await mux.kill('one')
  expect(await mux.list()).toEqual([])
  expect(calls()).toHaveLength(1)
})

test('to look for sessions starts no server, and one with sessions is asked by a client from then on', async () => {
  expect(await mux.list()).toEqual([])
  expect(clients()).toEqual([])
  await byHand('new-session', '-d', '-s', 'found', 'sleep', '60')
  expect(await mux.list()).toMatchObject([{ name: 'found' }])
  await eventually(async () => (await sessionsByHand()).length === 2)
  const before = calls().length
  expect(await mux.list()).toMatchObject([{ name: 'found' }])
  expect(calls()).toHaveLength(before)
})

test('answers of many at once reach who asked, those of refused commands too', async () => {
  await mux.launch({ name: 'there', ...sleeps })
  const asked = Array.from({ length: 50 }, (_, index) => mux.get(index % 2 === 0 ? 'there' : `gone-${index}`))
  const answers = await Promise.all(asked)
  expect(answers.map((answer) => answer?.name ?? null)).toEqual(
    answers.map((_, index) => (index % 2 === 0 ? 'there' : null)),
  )
})

test('its own session is nobody else to see, and goes with it; the server too, where no other is left', async () => {
  await mux.launch({ name: 'agent', ...sleeps })
  expect((await sessionsByHand()).filter((name) => name !== 'agent')).toMatchObject([/^svc-control-/])
  expect(await mux.list()).toMatchObject([{ name: 'agent' }])
  expect(await mux.panes()).toMatchObject([{ session: 'agent' }])
  await mux.close()
  await eventually(async () => (await sessionsByHand()).join() === 'agent')
  await mux.kill('agent')
  expect((await byHand('list-sessions')).stderr).toMatch(/no server running|error connecting/)
})

test('a client that was killed takes no session with it, and the next look goes on without it', async () => {
  await mux.launch({ name: 'agent', ...sleeps })
  process.kill(clients().at(-1)!, 'SIGKILL')
  expect(await mux.list()).toMatchObject([{ name: 'agent', dead: false }])
  // The killed one may still have answered: it is a look that finds its end.
  await eventually(async () => (await mux.list()).length === 1 && clients().length === 2)
  await mux.launch({ name: 'other', ...sleeps })
  expect((await mux.list()).map(({ name }) => name).sort()).toEqual(['agent', 'other'])
  await eventually(async () => (await sessionsByHand()).length === 3)
})

test('a server that was killed has no sessions, and a launch starts another', async () => {
  await mux.launch({ name: 'agent', ...sleeps })
  await byHand('kill-server')
  expect(await mux.list()).toEqual([])
  expect(await mux.get('agent')).toBeNull()
  expect(await mux.launch({ name: 'agent', ...sleeps })).toMatchObject({ name: 'agent', dead: false })
})

test('a launch whose client is killed meanwhile is made, and once', async () => {
  await mux.launch({ name: 'first', ...sleeps })
  const { server } = (await mux.panes())[0]!
  for (let round = 0; round < 5; round++) {
    const name = `round-${round}`
    process.kill(server, 'SIGSTOP')
    const launched = mux.launch({ name, ...sleeps })
    process.kill(clients().at(-1)!, 'SIGKILL')
    process.kill(server, 'SIGCONT')
    const { pid } = await launched
    expect(await mux.get(name)).toMatchObject({ name, pid, dead: false })
    await eventually(
      async () => (await mux.list()).length === round + 2 && (await sessionsByHand()).length === round + 3,
    )
  }
})

test('what a program writes is taken for no answer', async () => {
  const script =
    'now=$(date +%s); for n in $(seq 1 400); do echo "%end $now $n 1"; done; echo last words; exec sleep 60'
  await mux.launch({ name: 'liar', directory: '/', command: ['sh', '-c', script] })
  await eventually(async () => (await mux.capture('liar', 1)) === 'last words')
  expect(await mux.list()).toMatchObject([{ name: 'liar', dead: false }])
})

const ODD = ['ends with;', ';', '', '#{pid} $HOME', `it's "quoted" \\n`, 'two\nlines\r', '~ {a} %if', 'größer ✓']

test.each(['run', 'runApart'] as const)('%s passes arguments on as they are', async (how) => {
  const server = new TmuxServer(socket, sessionEnvironment(process.env))
  await server.attach()
  const out = join(folder, 'odd')
  const script = 'out=$1; shift; printf "%s\\n" "$@" > "$out.part"; mv "$out.part" "$out"'
  const answer = await server[how]([
    ['new-session', '-d', '-P', '-F', '#S', '-s', 'odd', '--', 'sh', '-c', script, 'sh', out, ...ODD],
    ['list-sessions', '-F', 'a session'],
  ])
  expect(answer).toMatchObject({ stdout: 'odd\na session\na session\n', stderr: '', failed: false })
  await eventually(() => existsSync(out))
  expect(readFileSync(out, 'utf8')).toBe(`${ODD.join('\n')}\n`)
  await server.close()
})

test.each(['run', 'runApart'] as const)('%s goes no further than a command that failed', async (how) => {
  const server = new TmuxServer(socket, sessionEnvironment(process.env))
  await server.attach()
  const answer = await server[how]([
    ['list-sessions', '-F', 'one'],
    ['kill-session', '-t', '=nobody'],
    ['new-session', '-d', '-s', 'never'],
  ])
  expect(answer).toMatchObject({ stdout: 'one\n', stderr: "can't find session: nobody\n", failed: true })
  expect(await sessionsByHand()).toHaveLength(1)
  await server.close()
})
