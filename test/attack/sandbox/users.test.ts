// Agents of another OS user in a sandbox, from message to removal.
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { visibleFolder, type VisibleFolder } from '../../platform/sandbox/visible-folder.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { homeOf, NOBODY, type NamedHome } from './named-home.ts'

/** Only root may start programs of other users without a password. */
const asRoot = process.getuid!() === 0

let folder: VisibleFolder
let names: NamedHome
let stand: DaemonStand
let home: string

beforeAll(async () => {
  folder = visibleFolder()
  home = owned('home')
  names = homeOf('nobody', NOBODY, home)
  stand = await DaemonStand.create({ env: { PATH: names.path } })
  await stand.start()
}, 60_000)
afterAll(async () => {
  await stand?.close()
  names?.remove()
  folder?.remove()
})

function owned(name: string): string {
  const path = join(folder.path, name)
  mkdirSync(path)
  if (asRoot) chownSync(path, NOBODY, NOBODY)
  return path
}

async function agentIn(directory: string, members: object = {}): Promise<AgentRecord> {
  const { status, body } = await stand.ask<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
    name: `of-${directory.split('/').at(-1)}`,
    working_dir: directory,
    shell: 'bash',
    runtime: 'scripted',
    user: 'nobody',
    sandbox: 'on',
    ...members,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  await stand.connected()
  return stand.get(`${stand.orchestrator}/agents/${body.id}`)
}

/** Returns what the agent shows after the prompt. */
async function said(id: string, prompt: string, text: RegExp): Promise<string> {
  const frames = await stand.listen(id)
  await stand.send(id, prompt)
  return eventually(() => text.exec(JSON.stringify(frames))?.[0], 30_000)
}

describe('an agent of another user', () => {
  test.each([
    ['all', 'on'],
    ['some hosts', { network: { hosts: ['example.org'] } }],
    ['no host', { network: 'none' }],
  ])('answers, writes in its directory and continues after a restart, with %s', async (network, sandbox) => {
    if (!asRoot) return
    const directory = owned(network.replaceAll(' ', '-'))
    const { id, sandbox: started } = await agentIn(directory, { sandbox })
    expect(started?.state).toBe('on')
    await said(id, 'USE_TOOL Bash echo "$(id -u) $HOME" > notes.txt; touch /tmp/mine', /TOOL_OK|"result"/)
    const notes = join(directory, 'notes.txt')
    await eventually(() => existsSync(notes) && readFileSync(notes, 'utf8') === `${NOBODY} ${home}\n`)
    expect(statSync(notes).uid).toBe(NOBODY)
    const own = join(home, '.local', 'share', 'svc', 'sandbox', id)
    expect(statSync(join(own, 'tmp', 'mine')).uid).toBe(NOBODY)
    expect((await stand.ask('POST', `${stand.orchestrator}/agents/${id}/restart`)).status).toBeLessThan(300)
    await stand.connected()
    await said(id, 'are you there?', /are you there\?/)
    expect(existsSync(join(own, 'tmp', 'mine'))).toBe(false)
    expect((await stand.ask('DELETE', `${stand.orchestrator}/agents/${id}?purge=true`)).status).toBeLessThan(300)
    expect(existsSync(own)).toBe(false)
  })

  test('cannot read the private folder of another agent of that user', async () => {
    if (!asRoot) return
    const [one, other] = [await agentIn(owned('one')), await agentIn(owned('other'))]
    await said(one.id, 'USE_TOOL Bash echo the-secret-of-one > /tmp/mine', /TOOL_OK|"result"/)
    const file = join(home, '.local', 'share', 'svc', 'sandbox', one.id, 'tmp', 'mine')
    await eventually(() => existsSync(file) && readFileSync(file, 'utf8') === 'the-secret-of-one\n')
    expect(await said(other.id, `USE_TOOL Bash cat ${file} || echo refused`, /refused|the-secret-of-one/)).toBe(
      'refused',
    )
  })
})

describe('a user without a home directory', () => {
  beforeAll(() => rmSync(home, { recursive: true }))

  test('runs an agent without a sandbox by default, and names the reason', async () => {
    if (!asRoot) return
    const { status, sandbox } = await agentIn(owned('auto'), { sandbox: 'auto' })
    expect(status).toBe('running')
    expect(sandbox).toMatchObject({ state: 'off', code: 'sandbox-failed' })
    expect(sandbox?.reason).toContain('OS user "nobody" has no home directory of its own')
  })

  test('fails the start of a written sandbox', async () => {
    if (!asRoot) return
    const { status, last_error } = await agentIn(owned('written'))
    expect(status).toBe('failed')
    expect(last_error).toContain('has no home directory of its own for the private /tmp of its sandbox')
  })
})
