import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { onEachDatabase, type TestDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { root } from '../../support/root.ts'
import { servedOverHttp, type Served } from '../../platform/git/http-origin.ts'
import { Origin } from '../../platform/git/origin.ts'
import { Canaries } from './canaries.ts'

const leaker = join(root, 'test', 'attack', 'secrets', 'fixtures', 'leaker.mjs')
const LEAST_PLANTED = 40

onEachDatabase((database) => {
  const canaries = new Canaries()
  const emitted: [where: string, content: string | Buffer][] = []
  const closing: (() => void)[] = []
  const hook = canaries.plant('webhook secret of a source')
  /** Secrets that the manifests reference. */
  const variables = Object.fromEntries(
    Array.from({ length: 24 }, (_, at) => [
      `TEAM_SECRET_${at}`,
      canaries.plant(`\${TEAM_SECRET_${at}} of the repository`),
    ]),
  )
  let [stand, origin, served]: [DaemonStand, Origin, Served] = [] as never
  let applied: string[]

  const commitTeam = (prompt: string): string =>
    origin.commit({
      'team/agents/leaker.yml': agent('leaker', Object.keys(variables).slice(0, 20), prompt),
      'team/agents/other.yml': agent('other', Object.keys(variables).slice(20, 22)),
      'team/workflows/hook.yml':
        'name: hook\nagent: leaker\nsource: { type: webhook, secret: "${TEAM_SECRET_22}" }\nprompt_template: "{{title}}"\n',
      'team/workflows/part.yml':
        'name: part\nagent: other\nsource: { type: webhook, secret: "x-${TEAM_SECRET_23}" }\nprompt_template: "{{title}}"\n',
    })
  const agent = (name: string, secrets: string[], prompt = 'Wait') =>
    `name: ${name}\nworking_dir: ${stand.home}\nshell: bash\nruntime: command\ncommand: [node, ${leaker}]\n` +
    `tool_policy: { mode: require_approval }\nsystem_prompt: ${prompt}\nenv:\n` +
    secrets.map((variable) => `  CANARY_${variable}: \${${variable}}\n`).join('')

  beforeAll(async () => {
    origin = new Origin((close) => closing.push(close))
    const password = canaries.plant('password of a repository')
    served = await servedOverHttp(origin, password)
    stand = await DaemonStand.create({
      env: {
        SVC_LOG_LEVEL: 'debug',
        SVC_LOG_FORMAT: 'json',
        SVC_DRAIN_TIMEOUT_SECS: '1',
        SVC_DATABASE_URL: database.url,
        TEAM_TOKEN: password,
        WRONG_TOKEN: canaries.plant('wrong password of a repository'),
        TEAM_HOOK: hook,
        ...variables,
      },
    })
    applied = [commitTeam('First')]
    const source = (variable: string) =>
      `{ url: ${served.url}, path: team, credentials: { username: bot, password_variable: ${variable} }, webhook_secret_variable: TEAM_HOOK }`
    const config = join(stand.home, 'config.yaml')
    writeFileSync(
      config,
      `sources:\n  - { name: team, git: ${source('TEAM_TOKEN')} }\n  - { name: refused, git: ${source('WRONG_TOKEN')} }\n`,
    )
    await serve(config)
    await eventually(async () => (await stand.agentNamed('leaker'))?.connected, 60_000)
  }, 120_000)
  afterAll(async () => {
    await stand?.close()
    served?.close()
    for (const close of closing) close()
  })
  afterEach(() => void emitted.push(['the log', stand.output]))

  const serve = (config = join(stand.home, 'config.yaml')) =>
    stand.start(['bin/svc', 'serve', '--manifests', stand.manifests, '--config', config])

  async function asked(method: string, url: string, body?: unknown): Promise<any> {
    const { status, body: reply, text } = await answerOf(method, url, body)
    emitted.push([`${method} ${new URL(url).pathname} ${status}`, text])
    return reply
  }

  async function ran(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await stand.svc(args)
    // An unknown command would show nothing.
    expect(code, stderr).not.toBe(64)
    emitted.push([`svc ${args.slice(0, 2).join(' ')}`, stdout + stderr])
    return stdout + stderr
  }

  test('runs commits, drift, leaks, rollbacks, exports and a crash', { timeout: 240_000 }, async () => {
    const frames = await stand.listen()
    const { id } = await stand.agentNamed('leaker')
    await asked('POST', `${stand.orchestrator}/agents/${id}/message`, { content: 'leak' })
    const approval = await eventually(async () => {
      const reply = await asked('GET', `${stand.orchestrator}/agents/${id}/approvals?status=pending`)
      return [reply.items ?? reply].flat().find((each: { request_id: string }) => each.request_id === 'ask')
    }, 60_000)
    await asked('POST', `${stand.orchestrator}/approvals/${approval.id}/approve`, {})
    await eventually(() => JSON.stringify(frames).includes('tool allow as asked'), 60_000)
    await asked('PATCH', `${stand.orchestrator}/agents/${id}`, {
      system_prompt: 'By hand',
      env: { CANARY_HAND: canaries.plant('env changed by hand') },
    })
    await eventually(async () => (await asked('GET', `${stand.controller}/drift`)).length > 0, 30_000)
    for (const args of everyCommand(join(origin.folder, 'team'), join(stand.home, 'once'))) await ran(...args)
    await ran('reconcile', '--source', 'team')
    applied.push(commitTeam('Second'))
    const body = JSON.stringify({ after: applied[1] })
    for (const secret of [canaries.plant('secret a delivery is signed with'), hook]) {
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
      const answer = await fetch(`${stand.controller}/sources/team/webhook`, {
        method: 'POST',
        headers: { 'x-hub-signature-256': signature },
        body,
      })
      emitted.push(['a delivery', await answer.text()])
    }
    const isApplied = async () => (await asked('GET', `${stand.controller}/sources/team`)).applied_revision
    await eventually(async () => (await isApplied()) === applied[1], 60_000)
    const reply = await asked('GET', `${stand.controller}/runs`)
    const runs = [reply.items ?? reply].flat() as { id: string; revision: string }[]
    await ran('rollback', runs.find(({ revision }) => revision === applied[0])!.id)
    origin.commit({ 'team/agents/broken.yml': `name: broken\nenv: {A: "${canaries.plant('env that is not closed')}\n` })
    await ran('reconcile', '--source', 'team')
    emitted.push(['the stream', JSON.stringify(frames)])
    await stand.stopBy('SIGKILL')
    emitted.push(['the log', stand.output])
    await serve()
    await eventually(async () => (await stand.agentNamed('leaker'))?.connected, 60_000)
    for (const args of everyCommand(join(origin.folder, 'team'), join(stand.home, 'again'))) await ran(...args)
  })

  test('refuses an address that contains a secret without showing it', async () => {
    const addresses = [
      (secret: string) => `git+https://mira:${secret}@example.org/x.git`,
      (secret: string) => `https://${secret}@example.org/x.git`,
      (secret: string) => `git+ssh://git:${secret}@example.org/x.git`,
      (secret: string) => `https://example.org/x.git?access_token=${secret}`,
      (secret: string) => `https://mira:${secret}@[example.org/x.git`,
      (secret: string) => `ftp://mira:${secret}@example.org/x.git`.replace('ftp', 'git+ftp'),
    ]
    for (const [at, address] of addresses.entries()) {
      const written = (member: string) => {
        const file = join(stand.home, `config-${at}.yaml`)
        const value = JSON.stringify(address(canaries.plant(`address ${at} as ${member}`)))
        writeFileSync(
          file,
          `sources:\n  - name: x\n    ${member === 'git' ? `git: { url: ${value} }` : `directory: ${value}`}\n`,
        )
        return file
      }
      const env = { SVC_DATA_DIR: join(stand.home, 'other') }
      for (const args of [
        ['--manifests', address(canaries.plant(`address ${at} as an option`))],
        ['--manifests', stand.manifests, '--config', written('git')],
        ['--manifests', stand.manifests, '--config', written('directory')],
      ]) {
        const { code, stdout, stderr } = await stand.svc(['serve', ...args], { env })
        expect([code, stderr]).not.toEqual([0, ''])
        emitted.push([`svc serve, address ${at}`, stdout + stderr])
      }
    }
  }, 120_000)

  test('shows no secret in responses, logs, streams, files or output', { timeout: 120_000 }, async () => {
    for (const url of [stand.controller, stand.orchestrator])
      for (const path of [
        '/health',
        '/metrics',
        '/agents',
        '/workflows',
        '/approvals',
        '/sources',
        '/resources',
        '/drift',
      ])
        await asked('GET', url + path)
    const everyCall = { recorded: 1000, tool_policy: { mode: 'deny_all' } }
    expect((await asked('POST', `${stand.orchestrator}/policies/test`, everyCall)).calls).not.toEqual([])
    await stand.stopBy('SIGTERM')
    emitted.push(['the log', stand.output])
    for (const file of readdirSync(stand.dataDir, { recursive: true, encoding: 'utf8' }))
      if (statSync(join(stand.dataDir, file)).isFile()) emitted.push([file, readFileSync(join(stand.dataDir, file))])
    for (const file of filesMade(stand.home)) emitted.push([file, readFileSync(file)])
    emitted.push(...(await rowsOf(database)))
    expect(emitted.some(([where, content]) => where === 'the log' && content.includes('"level":20'))).toBe(true)
    expect(emitted.flatMap(([where, content]) => canaries.seenIn(where, content))).toEqual([])
    expect(canaries.count).toBeGreaterThanOrEqual(LEAST_PLANTED)
    counted('secrets of a day: planted', canaries.count)
    counted('secrets of a day: outputs searched', emitted.length)
    counted('secrets of a day: bytes searched', canaries.searched)
  })
})

/** All read commands; files are created below `folder`. */
const everyCommand = (checkout: string, folder: string): string[][] => [
  ...['human', 'json', 'markdown', 'ndjson'].flatMap((format) => [
    ['plan', checkout, '--source', 'team', '-o', format],
    ['reconcile', '--source', 'team', '--dry-run', '-o', format],
    ['diff', '-o', format],
  ]),
  ['plan', checkout, '--source', 'team', '--out', `${folder}.plan`],
  ...['yaml', 'json', 'human'].flatMap((format) => [
    ['get', 'agents', '-o', format],
    ['get', 'workflows', '-o', format],
    ['get', 'agents', 'leaker', '-o', format],
    ['status', '-o', format],
    ['history', '-o', format],
    ['blame', 'agents/leaker', '-o', format],
    ['doctor', '-o', format],
    ['settings', '-o', format],
  ]),
  ['drift', 'list'],
  ['drift', 'list', '-o', 'json'],
  ['sources', 'list', '-o', 'json'],
  ['export'],
  ['export', `${folder}.exported`],
  ['init', `${folder}.live`, '--from-live'],
]

const filesMade = (home: string): string[] =>
  readdirSync(home)
    .filter((name) => /^(once|again)\./.test(name))
    .flatMap((name) => [name, ...(statSync(join(home, name)).isDirectory() ? below(join(home, name), name) : [])])
    .map((name) => join(home, name))
    .filter((path) => statSync(path).isFile())

const below = (folder: string, name: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((each) => join(name, each))

async function answerOf(method: string, url: string, body?: unknown) {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
  return { status: response.status, text, body: isJson ? JSON.parse(text) : null }
}

async function rowsOf({ db }: TestDatabase): Promise<[string, string][]> {
  const isSqlite = db.client.dialect !== 'postgresql'
  const listed = isSqlite
    ? await db('sqlite_master').where({ type: 'table' }).select('name')
    : await db('information_schema.tables').where({ table_schema: 'public' }).select('table_name as name')
  return Promise.all(
    listed.map(async ({ name }: { name: string }): Promise<[string, string]> => {
      const rows = await db(name).select()
      return [`table ${name}`, JSON.stringify(rows)]
    }),
  )
}
