import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Resource } from '../../schemas/resource.ts'
import type { Run } from '../../schemas/run.ts'
import { bareServer, problem } from '../support/bare-server.ts'
import { agent, svc } from '../support/command.ts'
import { DaemonStand } from '../support/daemon.ts'

let stand: DaemonStand
let folder: string
/** Policies named after the folder of the test. */
let team: string
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
}, 60_000)
afterAll(() => stand.close())
beforeEach(() => {
  folder = mkdtempSync(join(stand.home, 'team-'))
  team = basename(folder).toLowerCase()
  mkdirSync(join(folder, 'policies'))
  write('one')
})

const write = (name: string, tools = 'Read') =>
  writeFileSync(join(folder, 'policies', `${name}.yml`), `name: ${team}-${name}\nmode: allow_list\ntools: [${tools}]\n`)
const live = async () =>
  (await stand.get<{ name: string }[]>(`${stand.orchestrator}/policies`))
    .map(({ name }) => name)
    .filter((name) => name.startsWith(team))
    .sort()
const lastRun = async () => (await stand.get<Run[]>(`${stand.controller}/runs`))[0]!

describe('apply', () => {
  test('shows progress and summary', async () => {
    const { code, stdout, stderr } = await stand.agent(['apply', folder])
    expect(code).toBe(0)
    expect(stderr).toMatch(new RegExp(`^✓ policies/${team}-one  create done \\(\\d.*s\\)\\n$`))
    expect(stdout).toMatch(/^Run [0-9a-f]{8} succeeded in \S+ m?s: 1 done\n$/)
    expect(await live()).toEqual([`${team}-one`])
  })

  test('shows the addresses of the webhooks that it has written', async () => {
    mkdirSync(join(folder, 'agents'))
    mkdirSync(join(folder, 'workflows'))
    const worker = `name: ${team}-worker\nworking_dir: .\nshell: bash\nruntime: scripted\n`
    writeFileSync(join(folder, 'agents', 'worker.yml'), worker)
    const flow = (name: string, trigger: string) =>
      writeFileSync(
        join(folder, 'workflows', `${name}.yml`),
        `name: ${team}-${name}\nagent: ${team}-worker\nsource: ${trigger}\nprompt_template: Go\n`,
      )
    flow('hook', '{type: webhook, secret: s3cret}')
    flow('hand', '{type: manual}')
    const { code, stdout } = await stand.agent(['apply', folder])
    expect(code).toBe(0)
    const flows = await stand.get<{ id: string; name: string }[]>(`${stand.orchestrator}/workflows`)
    const { id } = flows.find(({ name }) => name === `${team}-hook`)!
    expect(stdout).toContain(`webhook of workflow ${team}-hook: ${stand.orchestrator}/webhooks/${id}\n`)
    expect(stdout).not.toContain(`workflow ${team}-hand`)
    expect((await stand.agent(['apply', folder])).stdout).not.toContain('webhook')
  })

  test('prunes only with --prune, and streams ndjson', async () => {
    for (const name of ['two', 'three', 'four', 'five']) write(name)
    await stand.agent(['apply', folder])
    rmSync(join(folder, 'policies', 'one.yml'))
    expect((await stand.agent(['apply', folder])).code).toBe(0)
    expect(await live()).toHaveLength(5)
    const { stdout } = await stand.agent(['apply', folder, '--prune', '-o', 'ndjson'])
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([events[0].type, events.at(-1).type]).toEqual(['plan', 'run'])
    expect(events.at(-1).run).toEqual(await lastRun())
    expect(await live()).not.toContain(`${team}-one`)
  })

  test('uses the parent of a kind’s folder as root', async () => {
    const file = join(folder, 'policies', 'one.yml')
    expect((await stand.agent(['apply', file])).code).toBe(0)
    const resources = await stand.get<Resource[]>(`${stand.controller}/resources`)
    expect(resources.find(({ name }) => name === `${team}-one`)).toMatchObject({
      source: `apply:${file}`,
      file: 'policies/one.yml',
    })
  })

  test('rejects bytes that are not text, with their position', async () => {
    write('two')
    const file = join(folder, 'policies', 'one.yml')
    writeFileSync(file, Buffer.concat([Buffer.from(`name: ${team}-one\nmode: ab`), Buffer.from([0xff, 0xfe])]))
    const { code, stderr } = await stand.agent(['apply', folder])
    expect([code, stderr, await live()]).toEqual([
      1,
      `error: the file is not UTF-8 (${file}:2:9, not-utf8)\nhint: save it as UTF-8\n`,
      [],
    ])
  })

  test('creates agents before workflows; a dry run creates none', async () => {
    mkdirSync(join(folder, 'workflows'))
    mkdirSync(join(folder, 'agents'))
    // In alphabetical order the workflow would be first.
    const flow = `name: a-${team}\nagent: b-${team}\nsource: { type: manual }\nprompt_template: go\n`
    writeFileSync(join(folder, 'workflows', 'a.yml'), flow)
    writeFileSync(
      join(folder, 'agents', 'b.yml'),
      `name: b-${team}\nworking_dir: ${folder}\nruntime: scripted\nshell: bash\n`,
    )
    const made = async () => {
      const [agents, flows] = await Promise.all(
        ['agents', 'workflows'].map((kind) => stand.get<{ name: string }[]>(`${stand.orchestrator}/${kind}`)),
      )
      return [...agents!, ...flows!].map(({ name }) => name).filter((name) => name.endsWith(team))
    }
    const dry = await stand.agent(['apply', folder, '--dry-run'])
    expect([dry.code, await made(), await live()]).toEqual([0, [], []])
    for (const id of [`agents/b-${team}`, `workflows/a-${team}`]) expect(dry.stdout).toContain(`+ ${id}  create`)
    const { code, stderr } = await stand.agent(['apply', folder])
    expect(code, stderr).toBe(0)
    expect(await made()).toEqual([`b-${team}`, `a-${team}`])
    const done = stderr.split('\n').flatMap((line) => /^✓ (agents|workflows)/.exec(line)?.[1] ?? [])
    expect(done).toEqual(['agents', 'workflows'])
    expect((await stand.agent(['teardown', folder])).code).toBe(0)
    expect(await made()).toEqual([])
  })

  test('follows links to folders', async () => {
    const shared = mkdtempSync(join(stand.home, 'shared-'))
    writeFileSync(join(shared, 'more.yml'), `name: ${team}-more\nmode: deny_all\n`)
    symlinkSync(shared, join(folder, 'policies', 'shared'))
    await stand.agent(['apply', folder])
    expect(await live()).toEqual([`${team}-more`, `${team}-one`])
  })

  test('reports a missing path', async () => {
    const { code, stderr } = await stand.agent(['apply', join(folder, 'nope')])
    expect([code, stderr]).toEqual([
      1,
      `error: ${join(folder, 'nope')} does not exist\nhint: use a readable file or folder of manifests\n`,
    ])
  })

  test('deletes the declared resources on teardown; a dry run shows the plan', async () => {
    await stand.agent(['apply', folder])
    const dry = await stand.agent(['teardown', folder, '--dry-run'])
    expect(dry.stdout).toContain(`- policies/${team}-one  delete`)
    expect(await live()).toEqual([`${team}-one`])
    expect((await stand.agent(['teardown', folder])).code).toBe(0)
    expect(await live()).toEqual([])
  })
})

describe('a saved plan', () => {
  test('is private, applied completely, and refused when stale', async () => {
    const file = join(folder, 'team.plan.json')
    const kept = await stand.svc(['plan', folder, '--out', file])
    expect(kept.stderr).toContain(`svc apply ${file}`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await stand.svc(['apply', file])).code).toBe(0)
    expect(await live()).toEqual([`${team}-one`])
    write('one', 'Grep')
    await stand.svc(['plan', folder, '--out', file])
    await stand.ask('PUT', `${stand.orchestrator}/policies/${team}-one`, { mode: 'deny_all' })
    const stale = await stand.svc(['apply', file, '--exit-codes=extended'])
    expect([stale.code, stale.stderr]).toEqual([14, expect.stringContaining(`policies/${team}-one`)])
    expect(await stand.get(`${stand.orchestrator}/policies/${team}-one`)).toMatchObject({ mode: 'deny_all' })
  })

  test('is refused before sending if invalid', async () => {
    writeFileSync(join(folder, 'x.json'), '{"steps": 3}')
    const before = await lastRun()
    const { code, stderr } = await stand.svc(['apply', join(folder, 'x.json')])
    expect([code, stderr.includes('is not a plan'), await lastRun()]).toEqual([1, true, before])
  })
})

describe('a streamed response', () => {
  const step = { kind: 'policies', name: 'one', action: 'create', status: 'intended', live_id: null, error: null }
  const event = JSON.stringify({ type: 'step', run_id: 'r', step: { ...step, started_at: null, ended_at: null } })
  const failing = (status: number, detail: string) =>
    bareServer(200, `${event}\n{"type":"error","problem":${problem(status, detail)}}\n`)

  test('reports an error in the middle with its hint', async () => {
    const { url } = await failing(503, 'the disk is full: free some space, then try again')
    const { code, stderr } = await agent(['apply', folder, '--url', url])
    expect([code, stderr.includes('error: the disk is full')]).toEqual([1, true])
  })

  test('exits with 1, or 14, for a conflict in the middle', async () => {
    const { url } = await failing(409, 'live moved')
    const codes = [[], ['--exit-codes=extended']].map(
      async (flags) => (await svc(['apply', folder, '--url', url, ...flags])).code,
    )
    expect(await Promise.all(codes)).toEqual([1, 14])
  })

  test('fails without an end', async () => {
    const { url } = await bareServer(200, `${event}\n`)
    const { code, stderr } = await agent(['apply', folder, '--url', url])
    expect([code, stderr.includes('without a run')]).toEqual([1, true])
  })
})
