// Uses real tmux, and stub programs that record how they were called.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { services } from '../../../daemon/services.ts'
import type { LaunchReply, WrapSession } from '../../../schemas/wrap/launch.ts'
import { ask as askUrl } from '../../support/http.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'

let folder: string
let bin: string
let stand: ServiceStand
let remove: () => Promise<void>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-wrap-'))
  bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const name of ['claude', 'crush', 'opencode', 'gemini']) program(name, 'sleep 600')
  program('ends', 'echo "no key found" >&2; exit 3')
  const database = await sqliteDatabase()
  remove = database.remove
  stand = await start(database.url, {})
})
afterAll(async () => {
  await stand.close()
  await remove()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(async () => {
  for (const { name } of await sessions()) await tmux('kill-session', '-t', `=${name}`)
  for (const name of ['claude', 'crush', 'opencode', 'gemini', 'ends'])
    rmSync(join(bin, `${name}.args`), { force: true })
})

/** Creates a program that writes its directory and arguments to a file, one per line, then runs `script`. */
function program(name: string, script: string): void {
  const path = join(bin, name)
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$PWD" "$@" > '${path}.args'\n${script}\n`)
  chmodSync(path, 0o755)
}
const start = (url: string, env: Record<string, string>) => {
  const served = services({ sources: [] }).filter(({ name }) => name === 'wrap')
  return startServices(served, {
    url,
    env: { PATH: `${bin}:${process.env.PATH}`, SHELL: '/bin/sh', SVC_SECRET: 'hush', ...env },
  })
}
const tmux = async (...args: string[]) =>
  (await execa('tmux', ['-L', `${stand.muxSocket}-user`, ...args], { reject: false })).stdout
/** Retries in case the tmux server was exiting with its last session. */
const startByHand = (name: string) =>
  eventually(async () => {
    await tmux('new-session', '-d', '-s', name, 'sleep 600')
    return (await tmux('list-sessions', '-F', '#{session_name}')).split('\n').includes(name)
  })
const ask = <T = any>(request: string, body?: unknown) => {
  const [method, path] = request.split(' ') as [string, string]
  return askUrl<T>(method, stand.host.urls.wrap! + path, body)
}
const request = (more: object = {}) => ({
  project_name: 'shop',
  project_path: folder,
  agent_type: 'alpha-code',
  model_provider: 'none',
  model_name: 'none',
  ...more,
})
const launch = async (more: object = {}): Promise<LaunchReply> => {
  const { status, body } = await ask<LaunchReply>('POST /launch', request(more))
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const sessions = async () => (await ask<WrapSession[]>('GET /sessions')).body
const calledWith = (name: string) =>
  eventually(
    () =>
      existsSync(join(bin, `${name}.args`)) &&
      readFileSync(join(bin, `${name}.args`), 'utf8')
        .trim()
        .split('\n'),
  )

test('returns the documented reply and starts the session', async () => {
  const reply = await launch()
  expect(reply).toEqual({ success: true, session_name: 'shop', message: expect.stringContaining('shop'), error: null })
  const about = { project_path: folder, agent_type: 'alpha-code', model_provider: 'none', model_name: 'none' }
  expect(await sessions()).toEqual([
    { name: 'shop', launched: true, panes: 1, attached: false, ...about, created_at: expect.stringMatching(/Z$/) },
  ])
  expect((await ask('GET /sessions/shop')).body).toMatchObject({ name: 'shop', launched: true })
})

test('names a command that reaches the session', async () => {
  const { message } = await launch()
  const command = /to attach: (.*)$/.exec(message)![1]!.replace(' attach ', ' has-session ')
  expect((await execa('sh', ['-c', command], { reject: false })).exitCode).toBe(0)
})

test.each([
  ['alpha-code', 'claude', []],
  ['beta', 'crush', []],
  ['gamma-code', 'opencode', ['--provider=acme', '--model=acme-large']],
  ['delta', 'gemini', ['--model=acme-large']],
])('launches %s by starting %s in the project with options %j', async (agent_type, name, args) => {
  await launch({ agent_type, model_provider: 'acme', model_name: 'acme-large' })
  expect(await calledWith(name)).toEqual([folder, ...args])
})

test('starts the user’s shell for agent type general', async () => {
  expect(await launch({ agent_type: 'general' })).toMatchObject({ success: true, error: null })
  expect(await tmux('list-panes', '-a', '-F', '#{pane_current_command} #{pane_dead}')).toMatch(/^(sh|dash|bash) 0$/)
})

const left = (panes: string) => panes.split('\n').map((each) => each.split(' ').map(Number))

test.each([
  [null, 1],
  [{ type: 'single' }, 1],
  [{ type: 'horizontal' }, 2],
  [{ type: 'vertical' }, 2],
  [{ type: 'tiled' }, 4],
  [{ type: 'horizontal', panes: 3 }, 3],
  [{ type: 'vertical', panes: 5 }, 5],
  [{ type: 'tiled', panes: 16 }, 16],
])('arranges layout %j in %d panes', async (layout, count) => {
  await launch({ layout })
  const places = left(await tmux('list-panes', '-t', '=shop:', '-F', '#{pane_left} #{pane_top}'))
  expect(places).toHaveLength(count)
  const columns = new Set(places.map(([x]) => x)).size
  const rows = new Set(places.map(([, y]) => y)).size
  const type = layout?.type ?? 'single'
  if (type === 'horizontal') expect([columns, rows]).toEqual([count, 1])
  else if (type === 'vertical') expect([columns, rows]).toEqual([1, count])
  else expect(columns * rows).toBe(count)
  expect((await sessions())[0]!.panes).toBe(count)
})

test('leaves no launch option set in the session', async () => {
  await launch()
  expect(await tmux('show-options', '-w', '-t', '=shop:', 'remain-on-exit')).toBe('')
})

test('keeps the daemon’s environment out of the session', async () => {
  await launch()
  expect(await tmux('show-environment', '-g')).not.toContain('SVC_SECRET')
})

describe('a failure', () => {
  const nothingLeft = async () => {
    expect(await sessions()).toEqual([])
    expect(await stand.db('wrap_launches').where({ session_name: 'shop' })).toEqual([])
  }

  test.each([
    ['a missing path', { project_path: '/no/such/folder' }, 'project path does not exist'],
    ['a file as path', { project_path: '/etc/hostname' }, 'project path does not exist'],
    ['a relative path', { project_path: '.' }, 'project path is not absolute'],
    ['a name with shell characters', { project_name: '$(id); #{x}' }, 'Failed to create session'],
    ['a name that looks like an option', { project_name: '-t' }, 'Failed to create session'],
    ['a name that looks like a tmux id', { project_name: '$0' }, 'Failed to create session'],
  ])('reports %s in the body', async (_what, wrong, error) => {
    await stand.db('wrap_launches').delete()
    const reply = await launch(wrong)
    expect(reply).toMatchObject({ success: false, error })
    expect(reply.session_name).toBe((wrong as { project_name?: string }).project_name ?? 'shop')
    expect(reply.message.startsWith(`Failed to launch agent: ${error}`)).toBe(true)
    await nothingLeft()
  })

  test('leaves an existing session of the same name unchanged', async () => {
    await startByHand('my_shop')
    const reply = await launch({ project_name: 'my.shop' })
    expect(reply).toMatchObject({ success: false, error: 'Failed to create session', session_name: 'my_shop' })
    expect(reply.message).toContain('already exists')
    expect(await sessions()).toMatchObject([{ name: 'my_shop', launched: false, agent_type: null }])
  })

  test.each([
    ['SVC_WRAP_BETA_COMMAND', 'no-such-agent', 'no-such-agent is not installed', 'npm install -g @charmland/crush'],
    ['SVC_WRAP_BETA_COMMAND', 'ends --now', 'exited immediately with code 3', 'no key found'],
  ])('reports a failing program and leaves nothing behind: %s=%s', async (variable, command, what, more) => {
    const database = await sqliteDatabase()
    const other = await start(database.url, { [variable]: command })
    const { body } = await askUrl<LaunchReply>(
      'POST',
      `${other.host.urls.wrap}/launch`,
      request({ agent_type: 'beta' }),
    )
    const { body: after } = await askUrl<WrapSession[]>('GET', `${other.host.urls.wrap}/sessions`)
    await other.close()
    await database.remove()
    expect(body).toMatchObject({ success: false, error: 'Failed to launch agent', session_name: 'shop' })
    expect(body.message).toContain('Failed to launch agent: Failed to launch agent: ')
    expect(body.message).toContain(what)
    expect(body.message).toContain(more)
    expect(after).toEqual([])
  })

  test('explains how to install tmux if it is missing', async () => {
    const tools = mkdtempSync(join(tmpdir(), 'svc-tools-'))
    symlinkSync(join(bin, 'claude'), join(tools, 'claude'))
    const database = await sqliteDatabase()
    const other = await start(database.url, { PATH: tools })
    const { status, body } = await askUrl<LaunchReply>('POST', `${other.host.urls.wrap}/launch`, request())
    await other.close()
    await database.remove()
    rmSync(tools, { recursive: true })
    expect([status, body.success, body.error]).toEqual([200, false, 'Failed to create session'])
    expect(body.message).toContain('apt-get install tmux')
  })

  test.each([
    ['an agent type in the wrong case', { agent_type: 'Beta' }, 'agent_type'],
    ['an unknown layout', { layout: { type: 'round' } }, 'layout.type'],
    ['a layout without its type', { layout: { panes: 2 } }, 'layout.type'],
    ['zero panes', { layout: { type: 'tiled', panes: 0 } }, 'layout.panes'],
    ['no name', { project_name: undefined }, 'project_name'],
    ['an unknown field', { shell: 'zsh' }, 'shell'],
  ])('rejects %s with 400', async (_what, wrong, path) => {
    const { status, body } = await ask('POST /launch', request(wrong))
    expect([status, body.errors[0].path]).toEqual([400, path])
  })
})

test.each(['--yolo', '$(touch owned)', '`touch owned`; touch owned', "';touch owned;'", '#(touch owned)', 'x;', '-'])(
  'passes model %j as a single argument',
  async (model_name) => {
    await launch({ agent_type: 'delta', model_name })
    expect(await calledWith('gemini')).toEqual([folder, `--model=${model_name}`])
    expect(existsSync(join(folder, 'owned'))).toBe(false)
  },
)

test('does not expand tmux formats in a project path', async () => {
  const path = join(folder, '#(touch owned) $(x)')
  mkdirSync(path, { recursive: true })
  await launch({ project_path: path, layout: { type: 'vertical' } })
  expect((await calledWith('claude'))[0]).toBe(path)
  expect(await tmux('list-panes', '-t', '=shop:', '-F', '#{pane_start_path}')).toBe(`${path}\n${path}`)
})

test('ends only launched sessions: 403 for the user’s own, 404 for unknown', async () => {
  await launch()
  await startByHand('own')
  expect((await ask('DELETE /sessions/own')).status).toBe(403)
  expect((await ask('DELETE /sessions/sho')).status).toBe(404)
  expect((await ask('DELETE /sessions/shop')).status).toBe(204)
  expect((await sessions()).map(({ name }) => name)).toEqual(['own'])
  expect((await ask('GET /sessions/shop')).status).toBe(404)
})

test('does not claim a later manual session of the same name', async () => {
  await launch()
  await tmux('kill-session', '-t', '=shop')
  await startByHand('shop')
  expect((await ask('DELETE /sessions/shop')).status).toBe(403)
})
