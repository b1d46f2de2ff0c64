// The files of the daemon are unreachable through every operation and manifest that names a path.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { Askers, type Asker } from '../identity/asker.ts'
import { namedPaths } from './named-paths.ts'

const SSH = 'canary-of-an-ssh-key'

let stand: DaemonStand
let key: string
let agentId: string
let viewer: string
let requests = 0
const askers = new Askers()

beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.env.SVC_INDEX_WORKING_DIR = stand.home
  mkdirSync(join(stand.home, '.ssh'))
  writeFileSync(join(stand.home, '.ssh', 'key'), `${SSH}\n`)
  mkdirSync(join(stand.project, 'src'))
  writeFileSync(join(stand.project, 'src', 'a.ts'), 'export const answer = 42\n')
  symlinkSync(stand.dataDir, join(stand.project, 'data-link'))
  symlinkSync(join(stand.home, '.ssh'), join(stand.project, 'src', 'ssh-link'))
  await stand.start()
  key = readFileSync(join(stand.dataDir, 'key'), 'utf8').trim()
  const made = await stand.ask<AgentRecord>('POST', `${stand.orchestrator}/agents`, agent('one', stand.project))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  agentId = made.body.id
  const token = await stand.svc(['token', 'create', 'vera', '--role', 'viewer'])
  viewer = token.stdout.trim()
}, 60_000)
afterAll(async () => {
  await stand.close()
  await askers.close()
  counted('closed paths: requests', requests)
})

const agent = (name: string, working_dir: string, more: object = {}) => ({
  name,
  runtime: 'scripted',
  shell: 'bash',
  working_dir,
  ...more,
})

interface Named {
  method: string
  service: string
  path: string
  body: object
}

type Naming = (path: string) => Named

const orchestrator = (method: string, path: string, body: object): Named => ({
  method,
  service: 'orchestrator',
  path,
  body,
})
const manifests = (path: string): object => ({
  root: path,
  directories: [path],
  texts: [],
  manifests: [
    {
      path: 'workflows/w.yml',
      content: `name: w\nagent: one\ntrigger_config: {type: manual}\nprompt_template_file: ../key\n`,
    },
    { path: 'documents/d.yml', content: `name: d\ntitle: d\ncontent_file: ${join(path, 'key')}\n` },
  ],
})
const patched = (config: object) => orchestrator('PATCH', `/agents/${agentId}`, { config })
const launched = (project_path: string) => ({
  project_name: 'x',
  project_path,
  agent_type: 'general',
  model_provider: 'none',
  model_name: 'none',
})

/** Requests that must be refused with `path-closed`, by operation and field. */
const REFUSED: Record<string, Record<string, Naming>> = {
  'index.searchAgentic': {
    'body.path': (path) => ({ method: 'POST', service: 'index', path: '/search/agentic', body: { query: '^', path } }),
  },
  'index.createRepository': {
    'body.path': (path) => ({ method: 'POST', service: 'index', path: '/repositories', body: { name: 'x', path } }),
  },
  'orchestrator.createAgent': {
    'body.working_dir': (path) => orchestrator('POST', '/agents', agent('x', path)),
    'body.additional_dirs': (path) =>
      orchestrator('POST', '/agents', agent('x', stand.project, { additional_dirs: [path] })),
    'body.worktree': (path) => orchestrator('POST', '/agents', agent('x', path, { worktree: true })),
  },
  'orchestrator.updateAgent': {
    'body.working_dir': (path) => orchestrator('PATCH', `/agents/${agentId}`, { working_dir: path }),
    'body.additional_dirs': (path) => orchestrator('PATCH', `/agents/${agentId}`, { additional_dirs: [path] }),
    'body.worktree': (path) => orchestrator('PATCH', `/agents/${agentId}`, { working_dir: path, worktree: true }),
    'body.config.working_dir': (path) => patched({ working_dir: path }),
    'body.config.additional_dirs': (path) => patched({ additional_dirs: [path] }),
    'body.config.worktree': (path) => patched({ working_dir: path, worktree: true }),
  },
  'orchestrator.addDirectory': {
    'body.path': (path) => orchestrator('POST', `/agents/${agentId}/dirs`, { path }),
  },
  'wrap.launch': {
    'body.project_path': (path) => ({ method: 'POST', service: 'wrap', path: '/launch', body: launched(path) }),
  },
}

const planned = (path: string): Named => ({
  method: 'POST',
  service: 'controller',
  path: '/plan',
  body: manifests(path),
})
const applied = (path: string): Named => ({ ...planned(path), path: '/apply' })
const OF_MANIFESTS = [
  'body.absent',
  'body.directories',
  'body.manifests.path',
  'body.plan.root',
  'body.root',
  'body.texts.path',
]

/** Operations that open no file because of these fields, or have a test of their own. */
const UNREAD: Record<string, { fields: string[]; naming?: Naming; reason: string }> = {
  'controller.plan': { fields: OF_MANIFESTS, naming: planned, reason: 'reads only what is sent' },
  'controller.apply': { fields: OF_MANIFESTS, naming: applied, reason: 'reads only what is sent' },
  'controller.blameResource': { fields: ['query.path'], reason: 'a field of a manifest' },
  'controller.getSchema': { fields: ['params.file'], reason: 'a name in a fixed list' },
  'index.readFileLines': { fields: ['query.path'], reason: 'below a repository only: closed-lines.test.ts' },
  'orchestrator.removeDirectory': { fields: ['body.path'], reason: 'compared with the directories of the agent' },
  agents: {
    fields: ['body.additional_dirs', 'body.working_dir', 'body.worktree'],
    reason: 'applied by createAgent and updateAgent',
  },
  documents: { fields: ['body.content_file'], reason: 'opened below the folder of the source, else sent' },
  repositories: { fields: ['body.path'], reason: 'applied by createRepository' },
  workflows: { fields: ['body.prompt_template_file'], reason: 'opened below the folder of the source, else sent' },
}

test('declares every field that may hold a path', () => {
  const refused = Object.entries(REFUSED).map(([id, fields]) => [id, Object.keys(fields).sort()])
  const unread = Object.entries(UNREAD).map(([id, { fields }]) => [id, [...fields].sort()])
  expect(namedPaths()).toEqual(Object.fromEntries([...refused, ...unread]))
})

const closedFolders = (): string[] => [
  stand.dataDir,
  join(stand.dataDir, 'launch'),
  join(stand.project, 'data-link'),
  `${stand.project}/src/../../data`,
  join(stand.home, '.ssh'),
  join(stand.project, 'src', 'ssh-link'),
]

async function ask({ method, service, path, body }: Named, headers: Record<string, string> = {}) {
  requests++
  const response = await fetch(stand.urls[service]! + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  expect(text).not.toContain(key)
  expect(text).not.toContain(SSH)
  return { status: response.status, text }
}

describe.each(Object.entries(REFUSED))('%s', (_id, fields) => {
  test.each(Object.entries(fields))('refuses closed paths in %s', async (_field, naming) => {
    for (const folder of closedFolders()) {
      const { status, text } = await ask(naming(folder))
      expect([status, JSON.parse(text).code], `${folder}: ${text}`).toEqual([422, 'path-closed'])
      expect(text).toMatch(/which is closed: (nothing opens it|only the worktree)/)
    }
  })
})

test.each(['/plan', '/apply'])('reads no closed file for %s', async (path) => {
  for (const folder of closedFolders()) await ask({ ...planned(folder), path })
})

const search = (body: object, headers?: Record<string, string>) =>
  ask({ method: 'POST', service: 'index', path: '/search/agentic', body }, headers)

describe('an agentic search', () => {
  test('skips the closed parts of an open directory', async () => {
    for (const query of ['^', key.slice(0, 8), 'canary'])
      for (const file_pattern of ['key', '**/key', '*']) {
        const { status, text } = await search({ query, path: stand.home, file_pattern, limit: 200 })
        expect(status, text).toBe(200)
        expect(text).not.toContain('data/')
      }
    expect((await search({ query: 'answer', path: stand.home, limit: 200 })).text).toContain('project/src/a.ts')
  })

  test('is confined to the directories of an agent', async () => {
    const asker = await inSession('inside', join(stand.project, 'src'))
    const within = async (path: string, headers: Record<string, string> = {}) => {
      const body = JSON.stringify({ query: '^', path })
      const all = { 'content-type': 'application/json', ...headers }
      const { status, text } = await asker.http({
        method: 'POST',
        url: `${stand.urls.index}/search/agentic`,
        headers: all,
        body,
      })
      expect(text).not.toContain(SSH)
      return { status, body: JSON.parse(text) }
    }
    expect(await within(join(stand.project, 'src'))).toMatchObject({ status: 200, body: { total: 1 } })
    const token = (await asker.env()).SVC_TOOLS_TOKEN!
    for (const headers of [{}, { 'x-svc-actor': 'mia' }, { authorization: `Bearer ${token}` }] as Record<
      string,
      string
    >[])
      for (const path of ['.', stand.home, stand.project, stand.dataDir, '/etc', join(stand.project, 'missing')]) {
        const { status, body } = await within(path, headers)
        expect([status, body.code], path).toEqual([422, 'path-closed'])
        expect(body.detail).toContain('add it to additional_dirs of the agent')
      }
    expect(await within(join(stand.project, 'src', 'ssh-link'))).toMatchObject({ status: 422 })
  })

  test('follows no directory of an agent that has become a link to a closed one', async () => {
    const extra = join(stand.project, 'extra')
    const worktree = join(stand.dataDir, 'worktrees', 'of-another-agent')
    mkdirSync(extra)
    mkdirSync(worktree, { recursive: true })
    writeFileSync(join(worktree, 'a.ts'), SSH)
    const asker = await inSession('linked', join(stand.project, 'src'), { additional_dirs: [extra] })
    const found = async () => {
      const body = JSON.stringify({ query: '^', path: extra })
      const headers = { 'content-type': 'application/json' }
      return asker.http({ method: 'POST', url: `${stand.urls.index}/search/agentic`, headers, body })
    }
    expect(await found()).toMatchObject({ status: 200 })
    for (const target of [stand.dataDir, worktree, join(stand.home, '.ssh')]) {
      rmSync(extra, { recursive: true })
      symlinkSync(target, extra)
      const { status, text } = await found()
      expect([status, JSON.parse(text).code]).toEqual([422, 'path-closed'])
      expect(text).not.toContain(SSH)
    }
  })

  test('is confined to registered repositories for a viewer', async () => {
    const headers = { authorization: `Bearer ${viewer}` }
    const refused = await search({ query: '^', path: stand.project }, headers)
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([422, 'path-closed'])
    expect(refused.text).toContain('register the directory, or use a token with the role operator')
    const body = { name: 'src', path: join(stand.project, 'src') }
    await ask({ method: 'POST', service: 'index', path: '/repositories', body })
    const open = await search({ query: 'answer', path: join(stand.project, 'src') }, headers)
    expect([open.status, open.text]).toEqual([200, expect.stringContaining('a.ts')])
  })
})

async function inSession(name: string, working_dir: string, more: object = {}): Promise<Asker> {
  const { command, asker } = askers.prepare()
  const body = agent(name, working_dir, { runtime: 'command', command, sandbox: 'off', ...more })
  const made = await stand.ask<AgentRecord>('POST', `${stand.orchestrator}/agents`, body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await asker.ready()
  return asker
}
