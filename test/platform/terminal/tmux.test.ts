import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Mux } from '../../../platform/terminal/mux.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { tmuxSocket } from '../../support/tmux-server.ts'
import { Tmux, sessionEnvironment } from '../../../platform/terminal/tmux.ts'
import { eventually } from '../../support/eventually.ts'

const socket = tmuxSocket()
let folder: string
let mux: Mux
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-tmux-'))
  mux = new Tmux({ socket, env: { ...process.env, SVC_SECRET: 'hush', SVC_DATABASE_URL: 'postgres://secret' } })
})
afterAll(async () => {
  await execa('tmux', ['-L', socket, 'kill-server'], { reject: false })
  rmSync(folder, { recursive: true, force: true })
})

const sh = (script: string) => ['sh', '-c', script]

test('lists and finds nothing if the server is not running', async () => {
  const other = new Tmux({ socket: `${socket}-none`, env: process.env })
  expect(await other.list()).toEqual([])
  expect(await other.get('a')).toBeNull()
  expect(await other.capture('a', 10)).toBe('')
  await other.kill('a')
})

test('starts a program and returns its process id', async () => {
  const session = await mux.launch({ name: 'living', directory: folder, command: sh('exec sleep 60') })
  expect(session).toMatchObject({ name: 'living', dead: false, exitCode: null })
  expect(process.kill(session.pid, 0)).toBe(true)
  expect(await mux.get('living')).toEqual(session)
  expect(await mux.list()).toContainEqual(session)
})

test('matches session names exactly', async () => {
  await mux.launch({ name: 'name-long', directory: folder, command: sh('exec sleep 60') })
  expect(await mux.get('name')).toBeNull()
  await mux.kill('name')
  expect(await mux.get('name-long')).not.toBeNull()
})

test('keeps the exit code of a short-lived program', async () => {
  for (let round = 0; round < 30; round++) {
    await mux.launch({ name: `quick-${round}`, directory: folder, command: sh(`exit ${round}`) })
    const session = await eventually(async () => {
      const found = await mux.get(`quick-${round}`)
      return found?.dead && found
    })
    expect(session).toMatchObject({ dead: true, exitCode: round })
  }
})

test('reports exit code 128 + n for signal n', async () => {
  await mux.launch({ name: 'killed', directory: folder, command: sh('kill -9 $$') })
  expect(await eventually(async () => (await mux.get('killed'))?.exitCode ?? undefined)).toBe(137)
})

test('rejects a session name in use', async () => {
  await mux.launch({ name: 'twice', directory: folder, command: sh('exec sleep 60') })
  const refused = await mux
    .launch({ name: 'twice', directory: folder, command: sh('exec sleep 60') })
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 409 })
})

test('ends a program that ignores SIGHUP', async () => {
  const started = join(folder, 'stubborn-started')
  const { pid } = await mux.launch({
    name: 'stubborn',
    directory: folder,
    command: sh(`trap "" HUP TERM; : > ${started}; while :; do sleep 0.1; done`),
  })
  await eventually(() => existsSync(started))
  await mux.kill('stubborn')
  expect(await mux.get('stubborn')).toBeNull()
  await eventually(() => !existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
  await mux.kill('stubborn')
})

test("hides the daemon's environment from a session", async () => {
  const out = join(folder, 'env')
  await mux.launch({
    name: 'env',
    directory: folder,
    command: sh(`env > ${out}.part; mv ${out}.part ${out}`),
    env: { GIVEN: 'a value; with $signs' },
  })
  await eventually(() => existsSync(out))
  const text = readFileSync(out, 'utf8')
  expect(text).toContain('GIVEN=a value; with $signs')
  expect(text).not.toContain('hush')
  expect(text).not.toContain('SVC_')
  const { stdout } = await execa('tmux', ['-L', socket, 'show-environment', '-g'])
  expect(stdout).not.toContain('hush')
})

test('inherits only the variables of a login', () => {
  const env = {
    HOME: '/h',
    PATH: '/p',
    LC_ALL: 'C',
    SVC_TOKEN: 'x',
    ANTHROPIC_API_KEY: 'y',
    LANGUAGE: 'z',
    TERM: undefined,
  }
  expect(sessionEnvironment(env)).toEqual({ HOME: '/h', PATH: '/p', LC_ALL: 'C' })
})

test('passes the directory and arguments verbatim', async () => {
  const odd = join(folder, 'odd #{pid} %H; dir')
  mkdirSync(odd)
  const out = join(folder, 'odd')
  await mux.launch({
    name: 'odd',
    directory: odd,
    command: [
      'sh',
      '-c',
      'pwd > "$1.part"; printf "%s\\n" "$2" "$3" >> "$1.part"; mv "$1.part" "$1"',
      'sh',
      out,
      'ends with;',
      '#{pid} $HOME',
    ],
  })
  await eventually(() => existsSync(out))
  expect(readFileSync(out, 'utf8').split('\n')).toEqual([odd, 'ends with;', '#{pid} $HOME', ''])
})

test('captures the last lines of the terminal', async () => {
  await mux.launch({
    name: 'lines',
    directory: folder,
    command: sh('for i in 1 2 3 4 5; do echo line $i; done; exec sleep 60'),
  })
  await eventually(async () => (await mux.capture('lines', 100)).includes('line 5'))
  expect(await mux.capture('lines', 2)).toBe('line 4\nline 5')
  await mux.launch({ name: 'last-words', directory: folder, command: sh('echo one; echo two; sleep 0.3; exit 3') })
  await eventually(async () => (await mux.get('last-words'))?.dead)
  expect(await mux.capture('last-words', 1)).toBe('two')
})

test('returns the attach command', () => {
  expect(mux.attachCommand('living')).toEqual(['tmux', '-L', socket, 'attach-session', '-t', '=living'])
})

test('returns its version, or how to install it', async () => {
  expect(await mux.version()).toMatch(/^\d/)
  const missing = new Tmux({ socket, env: { PATH: folder } })
  expect(await missing.version()).toBeNull()
  const refused = await missing.list().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Problem)
  expect((refused as Problem).message).toContain('apt-get install tmux')
})
