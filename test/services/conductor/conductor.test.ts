import { describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../../platform/core/config.ts'
import { readSettings } from '../../../platform/service/settings.ts'
import type { ConductorRun } from '../../../schemas/conductor/run.ts'
import { conductorOperations } from '../../../schemas/operations/conductor.ts'
import { settings } from '../../../services/conductor/settings.ts'
import { eventually } from '../../support/eventually.ts'
import { gate } from './gate.ts'
import { forgeFault } from './memory-forge.ts'
import { issue, pullRequest } from './snapshots.ts'
import { REPOSITORY, conductorStands } from './stand.ts'

vi.setConfig({ testTimeout: 30_000 })

const start = conductorStands()

const unlabelled = issue({ number: 3, labels: [] })
const approved = pullRequest({ number: 7, labels: [] })

describe('settings', () => {
  test.each([
    ['SVC_CONDUCTOR_REPOSITORY', 'shop'],
    ['SVC_CONDUCTOR_REPOSITORY', 'acme/shop/more'],
    ['SVC_CONDUCTOR_REMOTE', 'ssh://git@git.example.com/acme/shop.git'],
    ['SVC_CONDUCTOR_REMOTE', 'ftp://git.example.com/{owner}/{name}.git'],
    ['SVC_CONDUCTOR_REMOTE', 'https://ada:secret@git.example.com/{owner}/{name}.git'],
    ['SVC_PIPELINE_BASE', '--force'],
    ['SVC_PIPELINE_BASE', 'a b'],
    ['SVC_CONDUCTOR_MENTION', 'ada'],
    ['SVC_CONDUCTOR_REVIEWERS', 'ada,,lin'],
  ])('refuses %s=%s at the start', (variable, value) => {
    const { faults } = readSettings('conductor', settings, { [variable]: value })
    expect(faults).toEqual([expect.stringContaining(`${variable} should be`)])
  })

  test('takes a repository, a remote, a base branch, a mention and reviewers', () => {
    const { faults, values } = readSettings('conductor', settings, {
      SVC_CONDUCTOR_REPOSITORY: 'acme/shop',
      SVC_CONDUCTOR_REMOTE: 'file:///srv/git/{owner}/{name}.git',
      SVC_PIPELINE_BASE: 'release/next',
      SVC_CONDUCTOR_MENTION: '@ada',
      SVC_CONDUCTOR_REVIEWERS: 'ada, review-bot[bot]',
    })
    expect(faults).toEqual([])
    expect(values).toMatchObject({
      remote: 'file:///srv/git/{owner}/{name}.git',
      pipelineBase: 'release/next',
      reviewers: ['ada', 'review-bot[bot]'],
    })
  })

  test('refuses a token with a space inside at the start, without showing it', async () => {
    const error: Error = await start({}, { env: { SVC_FORGE_TOKEN: 'secret more' } }).catch((thrown) => thrown)
    expect(error.message).toContain('SVC_FORGE_TOKEN has a space or line break inside')
    expect(error.message).not.toContain('secret')
  })

  test('serves on 17011, in production on 7011', () => {
    const portIn = (env: Record<string, string>) =>
      readConfig({ HOME: '/h', ...env }).port(conductorOperations, ['PORT'])
    expect([portIn({}), portIn({ SVC_ENV: 'production' })]).toEqual([17_011, 7011])
  })
})

describe('runs', () => {
  test('refuses a run without a repository', async () => {
    const { ask } = await start({}, { env: { SVC_CONDUCTOR_REPOSITORY: '' } })
    expect(await ask('POST /runs', {})).toMatchObject({ status: 409, body: { code: 'conductor-unconfigured' } })
    expect(await ask('POST /runs', { repository: REPOSITORY })).toMatchObject({ status: 200 })
  })

  test('labels, merges and remembers, and lists the run', async () => {
    const { run, ask, forge } = await start({ issues: [unlabelled], pullRequests: [approved] })
    const ended = await run()
    expect(ended).toMatchObject({ repository: REPOSITORY, dry_run: false, status: 'done', health: 'ok', problems: [] })
    const names = ended.actions.map(({ action }) => action)
    expect(names).toEqual(['add-label', 'add-label', 'merge', 'delete-branch', 'post', 'post', 'remember'])
    expect(ended.actions.every(({ outcome }) => outcome === 'done')).toBe(true)
    expect(forge.picture).toMatchObject({
      issues: [[3, ['needs-triage']]],
      pullRequests: [],
      merged: [[7, approved.head]],
    })
    expect((await ask('GET /runs')).body).toEqual([ended])
    expect((await ask('GET /runs?repository=ACME/Shop')).body).toEqual([ended])
    expect((await ask('GET /runs?repository=acme/other')).body).toEqual([])
    expect((await ask(`GET /runs/${ended.id}`)).body).toEqual(ended)
  })

  test('lists the same actions in a dry run, which changes nothing', async () => {
    const given = { issues: [unlabelled], pullRequests: [approved, pullRequest({ number: 8, verdicts: [] })] }
    const { run, ask, forge, messages, memories, db } = await start(given)
    const before = forge.picture
    const dry = await run({ dry_run: true })
    expect(dry.actions.every(({ outcome }) => outcome === 'planned')).toBe(true)
    expect(forge.picture).toEqual(before)
    expect(forge.requests).toBe(1)
    expect([await messages('engineering'), await messages('operations'), await memories()]).toEqual([[], [], []])
    expect((await ask('GET /runs')).body).toEqual([])
    expect(await db('conductor_audit')).toEqual([])
    const real = await run()
    const planned = real.actions.map((action) => ({ ...action, outcome: 'planned' }))
    expect(planned).toEqual(dry.actions)
  })

  test('shares one further run among requests that arrive during a run', async () => {
    const { run, forge } = await start({})
    const [reading, go] = [gate(), gate()]
    let reads = 0
    forge.onRead = async () => {
      if (++reads > 1) return
      reading.open()
      await go.promise
    }
    const first = run()
    await reading.promise
    const others = [run(), run(), run({ repository: 'Acme/Shop' })]
    const elsewhere = await run({ dry_run: true })
    go.open()
    const ids = (await Promise.all([first, ...others])).map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    expect(new Set(ids.slice(1)).size).toBe(1)
    expect(ids).not.toContain(elsewhere.id)
  })

  test('shares one dry run among requests that arrive during it, but for a label that depends on it', async () => {
    const { run, ask, forge } = await start({ pullRequests: [approved] })
    const [reading, both, go] = [gate(), gate(), gate()]
    let reads = 0
    forge.onRead = async () => {
      ;(++reads === 1 ? reading : both).open()
      await go.promise
    }
    const first = run({ dry_run: true })
    await reading.promise
    const others = [run({ dry_run: true }), run({ dry_run: true, repository: 'Acme/Shop' })]
    const labelled = ask('POST /items/7/labels', { add: 'merge-ready', if_eligible: true })
    await both.promise
    go.open()
    const ids = (await Promise.all([first, ...others])).map(({ id }) => id)
    expect(new Set(ids).size).toBe(1)
    expect((await labelled).status).toBe(200)
    expect(reads).toBe(2)
    expect((await run({ dry_run: true })).id).not.toBe(ids[0])
  })

  test('reports a forge that fails, and the health until a run succeeds', async () => {
    const { run, ask, forge } = await start({})
    expect((await ask('GET /health')).body).toMatchObject({ status: 'ok', repository: REPOSITORY, last_run: null })
    forge.onRead = () => {
      throw forgeFault('forge-limited', 'rate limit reached')
    }
    const failed = await run()
    expect(failed).toMatchObject({
      status: 'failed',
      health: 'degraded',
      forge_time: null,
      actions: [],
      items: [],
      problems: [{ code: 'forge-limited', detail: 'rate limit reached' }],
    })
    expect((await ask('GET /health')).body).toMatchObject({
      status: 'degraded',
      reason: expect.stringContaining('rate limit reached'),
      last_run: { id: failed.id, status: 'failed' },
    })
    forge.onRead = () => undefined
    await run()
    expect((await ask('GET /health')).body).toMatchObject({ status: 'ok', last_run: { health: 'ok' } })
  })

  test('counts runs by status and actions by name', async () => {
    const { run, host } = await start({ issues: [unlabelled] })
    await run()
    const text = await (await fetch(`${host.urls.conductor}/metrics`)).text()
    expect(text).toContain('svc_conductor_runs_total{status="done"} 1')
    expect(text).toContain('svc_conductor_actions_total{action="add-label"} 1')
  })
})

describe('labels', () => {
  test('adds a label of the pipeline, and refuses any other', async () => {
    const { ask, forge } = await start({ issues: [unlabelled] })
    const labelled = await ask('POST /items/3/labels', { add: 'triaged' })
    expect(labelled).toMatchObject({ status: 200, body: { number: 3, label: 'triaged', outcome: 'done', rules: null } })
    expect((await ask('POST /items/3/labels', { add: 'triaged' })).body.outcome).toBe('unchanged')
    expect(await ask('POST /items/3/labels', { add: 'bug' })).toMatchObject({ status: 400 })
    expect(forge.picture.issues).toEqual([[3, ['triaged']]])
  })

  test('adds merge-ready if every other rule holds', async () => {
    const { ask, forge } = await start({ pullRequests: [approved] })
    const reply = await ask('POST /items/7/labels', { add: 'merge-ready', if_eligible: true })
    expect(reply).toMatchObject({ status: 200, body: { outcome: 'done' } })
    expect(reply.body.rules).toContainEqual({ rule: 'reviews', holds: true, reason: null })
    expect(forge.picture.pullRequests).toMatchObject([[7, ['merge-ready'], 'main', approved.head]])
  })

  test('answers 409 with the rules that fail', async () => {
    const { ask, forge } = await start({ issues: [unlabelled], pullRequests: [{ ...approved, verdicts: [] }] })
    const reply = await ask('POST /items/7/labels', { add: 'merge-ready', if_eligible: true })
    expect(reply).toMatchObject({ status: 409, body: { code: 'not-eligible', errors: [{ path: 'reviews' }] } })
    expect(await ask('POST /items/3/labels', { add: 'agent', if_eligible: true })).toMatchObject({ status: 409 })
    expect(forge.picture.pullRequests).toMatchObject([[7, [], 'main', approved.head]])
  })

  test('reports what the forge refuses, and a forge that cannot be used', async () => {
    const { ask, forge } = await start({})
    expect(await ask('POST /items/9/labels', { add: 'agent' })).toMatchObject({ status: 409 })
    const down = () => {
      throw forgeFault('forge-unreachable')
    }
    forge.onWrite = down
    expect(await ask('POST /items/9/labels', { add: 'agent' })).toMatchObject({ status: 503 })
    forge.onRead = down
    const judged = await ask('POST /items/9/labels', { add: 'agent', if_eligible: true })
    expect(judged).toMatchObject({ status: 503, body: { detail: expect.stringContaining('the forge is down') } })
  })
})

describe('an agent', () => {
  test('may list the actions of a run, and starts one only with the guard', async () => {
    const { ask, host, folder } = await start(
      { issues: [unlabelled] },
      { others: ['communicate', 'docstore', 'orchestrator'] },
    )
    const agent = async (name: string, may: string[]) => {
      const body = { name, runtime: 'command', working_dir: folder, shell: 'bash', command: ['sleep', '600'], may }
      const made = await ask('POST /agents', body, 'orchestrator')
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      return made.body.id as string
    }
    const post = (id: string, body: object, path = '/runs') =>
      fetch(`${host.urls.conductor}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-svc-agent': id },
        body: JSON.stringify(body),
      })
    const [plain, permitted] = [await agent('builder', []), await agent('conductor', ['conductor'])]
    expect((await post(plain, { dry_run: true })).status).toBe(200)
    expect((await post(plain, { dry_run: true, repository: 'Acme/Shop' })).status).toBe(200)
    const elsewhere = await post(plain, { dry_run: true, repository: 'acme/other' })
    expect([elsewhere.status, await elsewhere.json()]).toMatchObject([403, { code: 'agent-may-not' }])
    expect((await post(permitted, { dry_run: true, repository: 'acme/other' })).status).toBe(200)
    const refused = await post(plain, {})
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'agent-may-not' }])
    expect((await post(plain, { dry_run: 'true' })).status).toBe(403)
    expect((await post(plain, { add: 'triaged' }, '/items/3/labels')).status).toBe(403)
    expect((await post(permitted, {})).status).toBe(200)
  })
})

describe('a stop', () => {
  test('cuts a run short, and the next run reports its changes', async () => {
    const started = await start({ issues: [unlabelled] })
    const { ask, run, forge, host, reopen, messages } = started
    const [writing, go] = [gate(), gate()]
    forge.onWrite = async (_write, moment) => {
      if (moment === 'before') return
      writing.open()
      await go.promise
    }
    const cut = ask<ConductorRun>('POST /runs', {}).catch(() => null)
    await writing.promise
    const reopened = reopen()
    await eventually(() =>
      fetch(`${host.urls.communicate}/health`).then(
        () => false,
        () => true,
      ),
    )
    go.open()
    await reopened
    expect((await cut)?.status ?? 503).toBe(503)
    expect(forge.picture.issues).toEqual([[3, ['needs-triage']]])
    expect((await run()).actions.map(({ action }) => action)).toEqual(['post', 'remember'])
    expect(await messages('operations')).toMatchObject([{ metadata: { transitions: ['#3: +needs-triage'] } }])
  })
})
