// The session launch: real tmux, programs that write down how they were called, and everything that can go wrong.
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

/** A program that writes its arguments down, one a line, and goes on with `script`. */
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
/** As a person would; again where tmux was ending with its last session. */
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

test('a launch answers the documented shape, and the session is there', async () => {
  const reply = await launch()
  expect(reply).toEqual({ success: true, session_name: 'shop', message: expect.stringContaining('shop'), error: null })
  const about = { project_path: folder, agent_type: 'alpha-code', model_provider: 'none', model_name: 'none' }
  expect(await sessions()).toEqual([
    { name: 'shop', launched: true, panes: 1, attached: false, ...about, created_at: expect.stringMatching(/Z$/) },
  ])
  expect((await ask('GET /sessions/shop')).body).toMatchObject({ name: 'shop', launched: true })
})

test.each([
  ['alpha-code', 'claude', []],
  ['beta', 'crush', []],
  ['gamma-code', 'opencode', ['--provider=acme', '--model=acme-large']],
  ['delta', 'gemini', ['--model=acme-large']],
])('%s starts %s in the project with the options %j', async (agent_type, name, args) => {
  await launch({ agent_type, model_provider: 'acme', model_name: 'acme-large' })
  expect(await calledWith(name)).toEqual([folder, ...args])
})

test('general starts the shell of the user, and no agent', async () => {
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
])('the layout %j has %d panes, in their places', async (layout, count) => {
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

test('a session goes on living when its program has, and has no setting left of the launch', async () => {
  await launch()
  expect(await tmux('show-options', '-w', '-t', '=shop:', 'remain-on-exit')).toBe('')
})

test('the session has nothing of the daemon’s own environment', async () => {
  await launch()
  expect(await tmux('show-environment', '-g')).not.toContain('SVC_SECRET')
})

describe('a failure', () => {
  const nothingLeft = async () => {
    expect(await sessions()).toEqual([])
    expect(await stand.db('wrap_launches').where({ session_name: 'shop' })).toEqual([])
  }

  test.each([
    ['a path that is not there', { project_path: '/no/such/folder' }, 'project path does not exist'],
    ['a file for a path', { project_path: '/etc/hostname' }, 'project path does not exist'],
    ['a relative path', { project_path: '.' }, 'project path is not absolute'],
    ['a name of signs', { project_name: '$(id); #{x}' }, 'Failed to create session'],
    ['a name that reads as an option', { project_name: '-t' }, 'Failed to create session'],
    ['a name that reads as an id of tmux', { project_name: '$0' }, 'Failed to create session'],
  ])('of %s is told in the body', async (_what, wrong, error) => {
    await stand.db('wrap_launches').delete()
    const reply = await launch(wrong)
    expect(reply).toMatchObject({ success: false, error })
    expect(reply.session_name).toBe((wrong as { project_name?: string }).project_name ?? 'shop')
    expect(reply.message.startsWith(`Failed to launch agent: ${error}`)).toBe(true)
    await nothingLeft()
  })

  test('of a name that is taken leaves the other session as it is', async () => {
    await startByHand('my_shop')
    const reply = await launch({ project_name: 'my.shop' })
    expect(reply).toMatchObject({ success: false, error: 'Failed to create session', session_name: 'my_shop' })
    expect(reply.message).toContain('exists already')
    expect(await sessions()).toMatchObject([{ name: 'my_shop', launched: false, agent_type: null }])
  })

  test.each([
    ['SVC_WRAP_BETA_COMMAND', 'no-such-agent', 'no-such-agent is not installed', 'npm install -g @charmland/crush'],
    ['SVC_WRAP_BETA_COMMAND', 'ends --now', 'ended at once with 3', 'no key found'],
  ])('of the program, %s=%s, says what it is and leaves nothing', async (variable, command, what, more) => {
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

  test('of tmux, which is not there, says how to get it', async () => {
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
    ['a layout of no kind', { layout: { type: 'round' } }, 'layout.type'],
    ['a layout without its type', { layout: { panes: 2 } }, 'layout.type'],
    ['no pane at all', { layout: { type: 'tiled', panes: 0 } }, 'layout.panes'],
    ['no name', { project_name: undefined }, 'project_name'],
    ['a member that is none', { shell: 'zsh' }, 'shell'],
  ])('of the shape, %s, is a 400', async (_what, wrong, path) => {
    const { status, body } = await ask('POST /launch', request(wrong))
    expect([status, body.errors[0].path]).toEqual([400, path])
  })
})

test.each(['--yolo', '$(touch owned)', '`touch owned`; touch owned', "';touch owned;'", '#(touch owned)', 'x;', '-'])(
  'the model %j is one argument, whatever it looks like',
  async (model_name) => {
    await launch({ agent_type: 'delta', model_name })
    expect(await calledWith('gemini')).toEqual([folder, `--model=${model_name}`])
    expect(existsSync(join(folder, 'owned'))).toBe(false)
  },
)

test('a project path is no format of tmux', async () => {
  const path = join(folder, '#(touch owned) $(x)')
  mkdirSync(path, { recursive: true })
  await launch({ project_path: path, layout: { type: 'vertical' } })
  expect((await calledWith('claude'))[0]).toBe(path)
  expect(await tmux('list-panes', '-t', '=shop:', '-F', '#{pane_start_path}')).toBe(`${path}\n${path}`)
})

test('a session that was launched is ended, one of the user’s own is not, one that is none is not found', async () => {
  await launch()
  await startByHand('own')
  expect((await ask('DELETE /sessions/own')).status).toBe(403)
  expect((await ask('DELETE /sessions/sho')).status).toBe(404)
  expect((await ask('DELETE /sessions/shop')).status).toBe(204)
  expect((await sessions()).map(({ name }) => name)).toEqual(['own'])
  expect((await ask('GET /sessions/shop')).status).toBe(404)
})

test('a session of the same name that a person made afterwards is not one of ours', async () => {
  await launch()
  await tmux('kill-session', '-t', '=shop')
  await startByHand('shop')
  expect((await ask('DELETE /sessions/shop')).status).toBe(403)
})
