import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunOptions } from '../../support/command.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { root } from '../../support/root.ts'

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
}, 60_000)
afterAll(() => stand.close())

/** Standard output of a successful command. */
async function shown(words: string[], options?: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await stand.agent(words, options)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}
const file = (name: string) => join(stand.dataDir, 'documents', name)

describe('agent doc', () => {
  test('creates, reads, changes, lists and searches documents', async () => {
    const made = await shown(['doc', 'create', 'Release plan', '-c', '# Plan', '--tags', 'plan,q3', '--by', 'mira'])
    expect(made).toBe('document release-plan created: Release plan\n')
    expect(await shown(['doc', 'read', 'release-plan'])).toMatch(/^# Plan\n?$/)
    await shown(['doc', 'update', 'release-plan', '-t', 'Final plan', '--tags', 'plan'])
    const read = JSON.parse(await shown(['doc', 'read', 'release-plan', '-o', 'json']))
    expect(read).toMatchObject({ title: 'Final plan', tags: ['plan'], content: '# Plan', created_by: 'mira' })
    await shown(['doc', 'create', 'Handbook', '-c', '-'], { input: 'from standard input' })
    expect(readFileSync(file('handbook.md'), 'utf8')).toBe('from standard input')
    const ids = async (...words: string[]) => (await shown(['doc', ...words])).match(/^(release-plan|handbook)\b/gm)
    expect(await ids('list')).toEqual(['handbook', 'release-plan'])
    expect(await ids('list', '--tags', 'plan,other')).toEqual(['release-plan'])
    expect(await ids('list', '--by', 'user')).toEqual(['handbook'])
    expect(await ids('search', 'standard', 'inp')).toEqual(['handbook'])
    expect(await shown(['doc', 'list', '--tags', 'nothing'])).toBe('No documents.\n')
  })

  test('shows earlier revisions, including manual edits', async () => {
    await shown(['doc', 'create', 'Edited', '-c', 'first'])
    writeFileSync(file('edited.md'), 'second')
    expect(await shown(['doc', 'history', 'edited'])).toMatch(/2 +by hand[^]*1 +tester/)
    expect(await shown(['doc', 'revision', 'edited', '1'])).toMatch(/^first\n?$/)
  })

  test('asks before deleting unless confirmed by option', async () => {
    await shown(['doc', 'create', 'Doomed', '-c', 'x'])
    const asked = await stand.agent(['doc', 'delete', 'doomed'])
    expect(asked.code).not.toBe(0)
    expect(asked.stderr).toContain('--yes')
    expect(existsSync(file('doomed.md'))).toBe(true)
    expect(await shown(['doc', 'delete', 'doomed', '--force'])).toBe('document doomed deleted\n')
    expect(existsSync(file('doomed.md'))).toBe(false)
  })

  test('rejects an unknown document and an empty title', async () => {
    const missing = await stand.agent(['doc', 'read', 'nowhere'])
    expect([missing.code, missing.stdout]).toEqual([expect.any(Number), ''])
    expect(missing.code).not.toBe(0)
    expect(missing.stderr).toContain('document nowhere does not exist')
    expect((await stand.agent(['doc', 'create', ' ', '-c', 'x'])).stderr).toContain('is blank')
  })

  test('provides doc as its short form', async () => {
    const run = (...words: string[]) =>
      new Promise<string>((resolve, reject) =>
        execFile(process.execPath, [join(root, 'bin', 'doc'), ...words], { env: stand.env }, (error, stdout) =>
          error ? reject(error) : resolve(stdout),
        ),
      )
    expect(await run('create', 'By its short name', '-c', 'x')).toContain('by-its-short-name')
    expect(await run('read', 'by-its-short-name')).toMatch(/^x\n?$/)
    expect(await run('list', '--by', 'user')).toContain('By its short name')
  })
})

describe('agent memory', () => {
  test('stores, finds, shares and deletes memories', async () => {
    const words = ['memory', 'remember', 'The staging key is rotated on Mondays', '--tags', 'staging']
    const [, id = ''] = /^stored \(([0-9a-f-]{36})\)/.exec(await shown(words)) ?? []
    expect(await shown(['memory', 'search', 'staging', 'key'])).toContain('rotated on Mondays')
    expect(await shown(['memory', 'remember', 'the staging key is rotated on mondays'])).toContain(`similar: ${id}`)
    expect(await shown(['memory', 'share', id, '--visibility', 'shared', '--shared-with', 'builder'])).toContain(
      'builder',
    )
    expect(
      await shown(['memory', 'list', '--visibility', 'shared', '--by', 'tester'], { env: { SVC_ACTOR: 'builder' } }),
    ).toContain(id.slice(0, 8))
    expect(await shown(['memory', 'list', '--visibility', 'shared'], { env: { SVC_ACTOR: 'zoe' } })).toBe(
      'No memories.\n',
    )
    expect(await shown(['memory', 'get', id.slice(0, 8)])).toContain('rotated on Mondays')
    const another = await stand.agent(['memory', 'forget', id], { env: { SVC_ACTOR: 'zoe' } })
    expect(another.code).not.toBe(0)
    expect(await shown(['memory', 'forget', id])).toContain(' deleted')
  })
})

test('stores memories of an agent in its own name', async () => {
  const body = { name: 'builder', working_dir: stand.home, shell: 'bash', runtime: 'scripted' }
  const { body: agent } = await stand.ask<{ id: string }>('POST', `${stand.orchestrator}/agents`, body)
  const env = { SVC_AGENT_ID: agent.id, SVC_AGENT_NAME: 'builder' }
  expect(await shown(['memory', 'remember', 'Tests need tmux'], { env })).toMatch(/^stored/)
  expect(await shown(['memory', 'list', '--by', 'builder'])).toContain('Tests need tmux')
})

describe('agent mcp', () => {
  test('finds the daemon and acts as the caller', async () => {
    const client = new Client({ name: 'test', version: '1' })
    const args = [join(root, 'bin', 'agent'), 'mcp']
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: stand.env, stderr: 'pipe' }))
    const input = { title: 'Over standard input', content: 'x', created_by: 'tester' }
    expect((await client.callTool({ name: 'doc_create', arguments: input })).isError).toBeFalsy()
    await client.close()
    expect(await shown(['doc', 'history', 'over-standard-input'])).toMatch(/1 +tester/)
  })
})
