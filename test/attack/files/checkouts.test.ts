// The checkout of a git source is open to its agents, and nothing else of the data directory is.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../platform/core/config.ts'
import { ClosedSet } from '../../../platform/files/closed-set.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { openDirectories } from '../../../services/orchestrator/policy/workplace.ts'
import { Origin } from '../../platform/git/origin.ts'
import { DaemonStand } from '../../support/daemon.ts'

const agent = (name: string, more = 'working_dir: .\n') => `name: ${name}\nruntime: scripted\nshell: bash\n${more}`

let stand: DaemonStand
let origin: Origin
let checkout: string
let key: string
const closes: (() => void)[] = []
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.env.SVC_INDEX_WORKING_DIR = stand.home
  checkout = join(stand.dataDir, 'checkouts', 'default')
  origin = new Origin((close) => void closes.push(close))
  origin.commit({
    'team/agents/reader.yml': agent('reader'),
    'src/a.ts': 'export const answer = 42\n',
    up: { link: '../../key' },
    data: { link: '../..' },
    sources: { link: '../../sources' },
    beside: { link: '../other' },
    absolute: { link: join(stand.dataDir, 'launch') },
  })
  await stand.start(['bin/svc', 'serve', '--manifests', `git+${origin.url}#main:team`])
  await stand.settled()
  mkdirSync(join(stand.dataDir, 'checkouts', 'other'))
  key = readFileSync(join(stand.dataDir, 'key'), 'utf8').trim()
}, 90_000)
afterAll(async () => {
  await stand.close()
  for (const close of closes) close()
})

/** Written as a caller or a manifest could. */
const CLOSED = [
  '..',
  '../..',
  '../../launch',
  '../../sources/default',
  '../default/../../sources/default/mirror.git',
  'data',
  'data/launch',
  'sources/default/mirror.git',
  'absolute',
]

const created = (working_dir: string, more: object = {}) =>
  stand.ask('POST', `${stand.orchestrator}/agents`, {
    name: 'x',
    runtime: 'scripted',
    shell: 'bash',
    working_dir,
    ...more,
  })
const searched = async (path: string, query = '^') => {
  const { status, body } = await stand.ask('POST', `${stand.urls.index}/search/agentic`, { query, path, limit: 200 })
  expect(JSON.stringify(body)).not.toContain(key)
  return { status, body }
}

test('is open itself', async () => {
  expect((await created(join(checkout, 'src'))).status).toBe(201)
  const { status, body } = await searched(checkout, 'answer')
  expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('src/a.ts')])
})

test('shows nothing through its links', async () => {
  for (const query of [key.slice(0, 8), 'remote', '^'])
    expect(JSON.stringify((await searched(checkout, query)).body)).not.toMatch(/mirror\.git|svc\.db|launch\//)
})

describe.each(CLOSED)('%s', (path) => {
  test('is closed as a directory of an agent and of a search', async () => {
    const absolute = `${checkout}/${path}`
    for (const refused of [
      await created(absolute),
      await created(absolute, { worktree: true }),
      await created(checkout, { additional_dirs: [absolute] }),
      await searched(absolute),
    ])
      expect([refused.status, refused.body.code], JSON.stringify(refused.body)).toEqual([422, 'path-closed'])
  })

  test('opens nothing to the tools of an agent that has it', () => {
    const closed = new ClosedSet(readConfig(stand.env))
    const place = { workingDir: checkout, home: stand.home, additionalDirs: [`${checkout}/${path}`], closed }
    expect(openDirectories(place).map(({ real }) => real)).toEqual([checkout])
  })
})

test('is no way into the data directory for manifests', async () => {
  const members = ['working_dir: ../../data', 'working_dir: ../../..', 'working_dir: ../../../../launch']
  const files = members.map(
    (member, index) => [`team/agents/a${index}.yml`, agent(`a${index}`, `${member}\n`)] as const,
  )
  const template = 'name: w\nagent: reader\ntrigger_config: {type: manual}\nprompt_template_file: ../../up\n'
  origin.commit({ ...Object.fromEntries(files), 'team/workflows/w.yml': template })
  const { body } = await stand.ask<{ diagnostics: Diagnostic[]; steps: unknown[] }>(
    'POST',
    `${stand.controller}/plan`,
    {
      source: 'default',
    },
  )
  expect(JSON.stringify(body)).not.toContain(key)
  expect(body.diagnostics.map(({ file, code }) => `${file} ${code}`)).toEqual([
    'agents/a0.yml directory-missing',
    'agents/a1.yml path-closed',
    'agents/a2.yml path-closed',
    'workflows/w.yml file-outside',
  ])
})
