import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { Exported } from '../../../schemas/manifest/export.ts'
import { kinds } from '../../../schemas/kinds.ts'
import type { Plan } from '../../../schemas/plan.ts'
import { svc } from '../../support/command.ts'
import { editorFaults } from '../editor-schema.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

let stand: DaemonStand
const TOKEN = 'planted-token-6f1d'
const HOOK = 'planted-hook-91c2'
/** Variables that replace secrets in exported manifests. */
const SECRETS = { PLANNER_TOKEN: TOKEN, PLANNER_EMPTY: '', ON_PUSH_SECRET: HOOK, FOREIGN_TOKEN: 'other-token' }

const TEAM: Record<string, string> = {
  'policies/reading.yml':
    'name: reading\nmode: allow_list\ntools: [Read, Grep]\nask: ["Bash(git push *)"]\ndeny: ["Read(.env)"]\notherwise: ask\ndescription: Looks, and touches nothing\n',
  'policies/open.yml': 'name: open\nmode: allow_all\n',
  'rooms/lobby.yml':
    'name: lobby\ntopic: "yes: #1"\nparticipants:\n  - {identifier: mia, role: admin}\n  - identifier: ben\n    display_name: Ben\n',
  'documents/handbook.yml': 'name: handbook\ntags: [team, b]\ncontent: |\n  # Handbook\n\n  Be kind.  \n',
  'documents/bare.yml': 'name: bare\ntitle: Nothing in it\ncontent: ""\n',
  'repositories/here.yml': 'name: here\npath: .\nlanguages: [typescript]\nignore: ["*.min.js"]\n',
  'agents/planner.yml': `name: planner\nworking_dir: .\nshell: bash\nruntime: scripted\npolicy: reading\nrooms: [lobby]\nenv:\n  TOKEN: ${TOKEN}\n  EMPTY: ""\nsync: {drift: heal}\ndepends_on: [documents/handbook]\nsystem_prompt: |\n  You plan.\n\n  "Quoted": {{braces}}\n`,
  'agents/anybody.yml':
    'name: anybody\nworking_dir: /tmp\nshell: bash\nruntime: scripted\npolicy: open\nrooms: [{name: lobby, respond: always}]\n',
  'workflows/nightly.yml':
    'name: nightly\nagent: planner\ntrigger_config: {type: cron, expression: "0 3 * * *"}\nprompt_template: Look\n',
  'workflows/on-push.yml': `name: on-push\nagent: planner\nsource: {type: webhook, secret: ${HOOK}, match: {event: [push, create], payload: {repository.default_branch: main}}}\npoll_interval: 60\nenabled: false\nprompt_template: "{{title}}"\ntool_policy: {mode: deny_list, tools: [Bash], ask: [Write], otherwise: deny}\n`,
  'workflows/after.yml':
    'name: after\nagent: anybody\nsource: {type: dispatch_result, source_workflow: nightly, status: completed}\nprompt_template: Go on\n',
}

beforeAll(async () => {
  stand = await DaemonStand.create({ env: SECRETS })
  for (const [path, text] of Object.entries(TEAM)) stand.write(path, text)
  await stand.startReady()
}, 60_000)
afterAll(() => stand.close())

const folder = () => join(stand.home, 'exported')
const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yml'))
    .sort()
const written = (path: string) => parse(readFileSync(join(folder(), path), 'utf8')) as unknown

async function planOf(...words: string[]): Promise<Plan> {
  const { stdout, stderr } = await stand.svc(['plan', folder(), '-o', 'json', ...words])
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Plan
}

/** The team has a workflow whose policy is wider than that of its agent. */
const isUnexpected = ({ code }: { code: string }): boolean => code !== 'policy-wider'

describe('an export of declared resources', () => {
  beforeAll(async () => {
    const { code, stdout, stderr } = await stand.svc(['export', folder()])
    expect([code, stderr]).toEqual([
      0,
      'warning: secrets are not exported; set these where svc runs: ON_PUSH_SECRET, PLANNER_EMPTY, PLANNER_TOKEN\n',
    ])
    expect(stdout).toContain('11 manifests in')
  })
  afterAll(() => rmSync(folder(), { recursive: true }))

  test('writes one file per resource of every kind', () => {
    expect(filesIn(folder())).toEqual(Object.keys(TEAM).sort())
    expect(new Set(filesIn(folder()).map((file) => file.split('/')[0]))).toEqual(new Set(kinds.map(({ kind }) => kind)))
  })

  test('omits defaults and keeps references by name', () => {
    expect(written('agents/planner.yml')).toEqual({
      name: 'planner',
      sync: { drift: 'heal' },
      depends_on: ['documents/handbook'],
      working_dir: stand.project,
      shell: 'bash',
      system_prompt: 'You plan.\n\n"Quoted": {{braces}}\n',
      env: { EMPTY: '${PLANNER_EMPTY}', TOKEN: '${PLANNER_TOKEN}' },
      rooms: ['lobby'],
      runtime: 'scripted',
      policy: 'reading',
    })
    expect(written('agents/anybody.yml')).toMatchObject({
      policy: 'open',
      rooms: [{ name: 'lobby', respond: 'always' }],
    })
    expect(written('rooms/lobby.yml')).toEqual({
      name: 'lobby',
      topic: 'yes: #1',
      participants: [
        { identifier: 'ben', display_name: 'Ben' },
        { identifier: 'mia', role: 'admin' },
      ],
    })
    expect(written('workflows/on-push.yml')).toEqual({
      name: 'on-push',
      agent: 'planner',
      source: {
        type: 'webhook',
        secret: '${ON_PUSH_SECRET}',
        match: { event: ['push', 'create'], payload: { 'repository.default_branch': 'main' } },
      },
      prompt_template: '{{title}}',
      enabled: false,
      tool_policy: { mode: 'deny_list', tools: ['Bash'], ask: ['Write'], otherwise: 'deny' },
    })
    expect(written('workflows/after.yml')).toMatchObject({
      source: { source_workflow: 'nightly', status: 'completed' },
    })
    expect(written('documents/bare.yml')).toEqual({ name: 'bare', title: 'Nothing in it', content: '' })
    expect(written('policies/open.yml')).toEqual({ name: 'open', mode: 'allow_all' })
  })

  test('changes nothing as the next revision of the source', async () => {
    const plan = await planOf('--source', 'default')
    expect([plan.steps, plan.drift, plan.diagnostics.filter(isUnexpected)]).toEqual([[], [], []])
    expect(plan.summary.unchanged).toBe(Object.keys(TEAM).length)
  })

  test('changes and adopts nothing as separate manifests', async () => {
    const plan = await planOf()
    expect([plan.steps, plan.drift, plan.diagnostics.filter(isUnexpected)]).toEqual([[], [], []])
  })

  test('rejects an unset variable', async () => {
    const { code, stdout } = await svc(['plan', folder(), '--offline', '-o', 'json'])
    expect(code).toBe(1)
    expect((JSON.parse(stdout) as Plan).diagnostics.map(({ code: fault }) => fault)).toContain('variable-unset')
  })
})

describe('an export as one text', () => {
  test('contains no secret and applies unchanged', async () => {
    const { stdout } = await stand.svc(['export'])
    for (const secret of [TOKEN, HOOK]) expect(stdout).not.toContain(secret)
    const documents = parseAllDocuments(stdout).map((document) => document.toJS() as { kind: string; name: string })
    expect(documents.map(({ kind, name }) => `${kind} ${name}`).slice(0, 3)).toEqual([
      'Policy open',
      'Policy reading',
      'Room lobby',
    ])
    const applied = await stand.svc(['apply', '-', '-o', 'json'], { input: stdout })
    expect([applied.code, (JSON.parse(applied.stdout) as { steps: unknown[] }).steps]).toEqual([0, []])
  })

  test('exports one kind by any of its names', async () => {
    const { stdout } = await stand.svc(['export', '--kind', 'Policy'])
    expect(parseAllDocuments(stdout).map((each) => (each.toJS() as { kind: string }).kind)).toEqual([
      'Policy',
      'Policy',
    ])
    const json = JSON.parse((await stand.svc(['export', '--kind', 'rooms', '--json'])).stdout) as Exported
    expect(json.manifests.map(({ path }) => path)).toEqual(['rooms/lobby.yml'])
    const wrong = await stand.svc(['export', '--kind', 'polcies'])
    expect([wrong.code, wrong.stderr]).toEqual([64, expect.stringContaining('did you mean "policies"?')])
  })

  test('returns YAML, JSON on request, and 400 for an unknown kind', async () => {
    const yaml = await fetch(`${stand.controller}/export?kind=rooms`)
    expect(yaml.headers.get('content-type')).toMatch(/^application\/yaml/)
    expect(await yaml.text()).toMatch(/^---\n# rooms\/lobby.yml\nkind: Room\nname: lobby\n/)
    const json = await fetch(`${stand.controller}/export?kind=room`, { headers: { Accept: 'application/json' } })
    expect(Object.keys((await json.json()) as object)).toEqual(['manifests', 'variables', 'warnings'])
    expect((await stand.ask('GET', `${stand.controller}/export?kind=rom`)).status).toBe(400)
  })

  test('rejects a folder with a standard output format', async () => {
    expect((await stand.svc(['export', '-o', 'dir'])).code).toBe(64)
    expect((await stand.svc(['export', folder(), '-o', 'yaml'])).code).toBe(64)
  })
})

describe('an export of resources without an owner', () => {
  const call = async (service: string, request: string, body: unknown) => {
    const [method, path] = request.split(' ') as [string, string]
    const reply = await stand.ask(method, `${stand.urls[service]}${path}`, body, { 'X-Svc-Actor': 'operator' })
    expect([request, reply.status < 300, reply.body]).toEqual([request, true, expect.anything()])
    return reply.body as { id: string }
  }
  const inAnnex = async () => {
    const path = `${stand.urls.communicate}/rooms/annex/participants`
    const { body } = await stand.ask<{ identifier: string }[]>('GET', path, undefined, { 'X-Svc-Actor': 'operator' })
    return body.map(({ identifier }) => identifier)
  }
  beforeAll(async () => {
    await call('communicate', 'POST /rooms', { name: 'annex', created_by: 'mia' })
    const { id } = await call('orchestrator', 'POST /agents', {
      name: 'foreign',
      working_dir: '/tmp',
      shell: 'bash',
      runtime: 'scripted',
      rooms: ['annex'],
      env: { TOKEN: 'other-token' },
    })
    await stand.connected()
    // Created asynchronously.
    await eventually(async () => (await inAnnex()).includes(id))
    await call('orchestrator', 'PUT /policies/loose', { mode: 'require_approval' })
    await call('orchestrator', 'POST /workflows', {
      name: 'by-hand',
      agent_id: id,
      trigger_config: { type: 'manual' },
      prompt_template: 'Go',
    })
    await call('docstore', 'POST /v1/documents', { title: 'By hand', content: 'x', created_by: 'mia' })
    await call('index', 'POST /repositories', { name: 'elsewhere', path: stand.manifests })
    for (const name of ['twin', 'twin', 'no name for a file'])
      await call('orchestrator', 'POST /agents', { name, working_dir: '/tmp', shell: 'bash', runtime: 'scripted' })
  })

  test('creates a folder with init --from-live and overwrites nothing', async () => {
    const { code, stderr, stdout } = await stand.svc(['init', folder(), '--from-live'])
    expect(code).toBe(0)
    expect(stderr).toContain('warning: agents/twin is left out: 2 resources have the name')
    expect(stderr).toContain('warning: agents/no name for a file is left out: its name is not valid in a manifest')
    const made = [...stdout.matchAll(/^created (.*ya?ml)$/gm)].map(([, path]) => path!)
    expect(made).toContain(join(folder(), 'svc.yaml'))
    expect(made.flatMap((file) => editorFaults(file))).toEqual([])
    const again = await stand.svc(['init', folder(), '--from-live'])
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('nothing was written')])
    expect((await stand.svc(['validate', folder()])).code).toBe(0)
  })

  test('adopts without a change, then plans nothing', async () => {
    const plan = await planOf()
    expect(plan.diagnostics.filter(isUnexpected)).toEqual([])
    expect(plan.steps.map(({ kind, name, action, changes }) => [`${kind}/${name}`, action, changes])).toEqual(
      [
        'policies/loose',
        'rooms/annex',
        'documents/by-hand',
        'repositories/elsewhere',
        'agents/foreign',
        'workflows/by-hand',
      ].map((id) => [id, 'adopt', []]),
    )
    const before = await stand.agentNamed('foreign')
    expect((await stand.svc(['apply', folder()])).code).toBe(0)
    expect((await planOf()).steps).toEqual([])
    expect(await stand.agentNamed('foreign')).toMatchObject({ id: before.id, restarts: before.restarts })
    expect(await inAnnex()).toContain(before.id)
  })
})
