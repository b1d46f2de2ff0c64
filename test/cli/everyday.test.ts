import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Plan } from '../../schemas/plan.ts'
import type { Drift, Resource } from '../../schemas/resource.ts'
import { svc } from '../support/command.ts'
import { editorFaults } from './editor-schema.ts'
import { readManifests } from '../../controller/reading/manifest.ts'
import { kinds } from '../../schemas/kinds.ts'
import { policyKind } from '../../schemas/policy.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('policies/reading.yml', 'name: reading\nmode: allow_list\ntools: [Read]\n')
  stand.write('policies/strict.yml', 'name: strict\nmode: deny_all\n')
  stand.write('agents/planner.yml', 'name: planner\nruntime: scripted\nworking_dir: .\nshell: bash\npolicy: reading\n')
  await stand.startInside()
  await stand.settled()
})
afterAll(() => stand.close())

/** Standard output of a successful command. */
async function shown(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await stand.svc(words)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}
const modeOf = async (name: string) =>
  (await stand.get<{ mode: string }>(`${stand.orchestrator}/policies/${name}`)).mode
const moveByHand = async (...names: string[]) => {
  for (const name of names) await request('PUT', `${stand.orchestrator}/policies/${name}`, { mode: 'allow_all' })
  await eventually(async () => (await stand.get<Drift[]>(`${stand.controller}/drift?open=true`)).length >= names.length)
}

describe('drift of several resources', () => {
  test('shows the plan that reverts drift, and applies it with --all', async () => {
    expect(await shown('diff')).toBe('No drift: live state equals the last applied state.\n')
    await moveByHand('reading', 'strict')
    const diff = await stand.svc(['diff', '--detailed-exitcode'])
    expect(diff.code).toBe(2)
    expect(diff.stdout).toMatch(/~ policies\/reading {2}update in place[\s\S]*mode: "allow_all" → "allow_list"/)
    expect(diff.stdout).toContain('Plan: 2 to update')
    expect(diff.stderr).toBe('revert it with: svc drift revert --all\n')
    const hint = async (...words: string[]) => /^revert .*$/m.exec(await shown('drift', ...words))?.[0]
    expect(await hint()).toBe('revert all of it with: svc drift revert --all')
    expect(await hint('policies')).toMatch(/^revert one with: svc drift revert policies\/(reading|strict)$/)
    expect(await hint('policies/strict')).toBe('revert it with: svc drift revert policies/strict')
    for (const field of [[], ['mode']])
      expect(await shown('drift', 'revert', 'policies/strict', ...field, '--dry-run')).toMatch(
        /~ policies\/strict {2}update in place[\s\S]*Plan: 1 to update/,
      )
    const plans = JSON.parse(await shown('drift', 'revert', '--all', '--dry-run', '--json')) as Plan[]
    expect(plans.flatMap(({ steps }) => steps.map(({ name }) => name)).toSorted()).toEqual(['reading', 'strict'])
    expect(await modeOf('reading')).toBe('allow_all')
    const reverted = await shown('drift', 'revert', '--all')
    expect(reverted.match(/✓ policies\/(reading|strict) {2}update done/g)).toHaveLength(2)
    expect([await modeOf('reading'), await modeOf('strict')]).toEqual(['allow_list', 'deny_all'])
    expect(await shown('drift', 'revert', '--all')).toBe('No drift.\n')
  })

  test('shows what applying a path would change', async () => {
    const { code, stdout } = await stand.svc(['diff', stand.manifests, '--detailed-exitcode'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^No changes\./)])
  })

  test('requires either a resource or --all', async () => {
    for (const words of [
      ['drift', 'revert'],
      ['drift', 'revert', 'policies/strict', '--all'],
    ])
      expect(await stand.svc(words)).toMatchObject({
        code: 64,
        stderr: expect.stringContaining('hint: pass KIND/NAME or --all'),
      })
  })
})

test('leaves a suspended source unchanged until it is resumed', async () => {
  expect(await shown('suspend')).toBe(
    'source default is suspended: changes to its manifests are pending, drift is still reported\nresume with: svc resume default\n',
  )
  expect(await shown('sources')).toMatch(/^SOURCE .*\ndefault .*suspended/)
  stand.write('policies/strict.yml', 'name: strict\nmode: require_approval\n')
  expect((await stand.svc(['reconcile'])).stderr).toContain('suspended')
  expect(await modeOf('strict')).toBe('deny_all')
  expect(await shown('resume', 'default')).toBe('source default is resumed; pending changes are applied now\n')
  await eventually(async () => (await modeOf('strict')) === 'require_approval')
  expect(await stand.svc(['suspend', 'team'])).toMatchObject({ code: 1, stderr: expect.stringContaining('team') })
})

describe('get', () => {
  test('accepts several kinds and names, and reports missing ones', async () => {
    const ids = async (word: string) =>
      (JSON.parse(await shown('get', word, '--json')) as Resource[]).map(({ id }) => id).sort()
    expect(await ids('agents,policies')).toEqual(['agents/planner', 'policies/reading', 'policies/strict'])
    expect(await ids('policy/strict,agents')).toEqual(['agents/planner', 'policies/strict'])
    expect(await ids('all')).toEqual(['agents/planner', 'policies/reading', 'policies/strict'])
    const missing = await stand.svc(['get', 'policies/none,agents'])
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringMatching(/policies\/none is in no applied manifest/),
    ])
  })

  test('lists built-in policies, and shows one as a manifest', async () => {
    expect(await shown('get', 'policies')).toMatch(
      /policies\/strict .*\n(.*\n)*built in: reviewer, builder, .*careful, open/,
    )
    expect(await shown('get', 'agents')).not.toContain('built in')
    const builder = await shown('get', 'policies/builder')
    expect(builder).toMatch(/^# Built in: .*\nname: builder\nmode: allow_list\ntools:\n/)
    const { resources } = readManifests([{ path: 'policies/builder.yml', content: builder }], {
      root: '/',
      home: '/',
      kinds,
      context: { exists: () => false, variable: () => undefined },
    })
    expect(resources[0]!.spec).toEqual(policyKind.builtIn!.find(({ name }) => name === 'builder'))
    expect(JSON.parse(await shown('get', 'policies/open', '--json'))).toEqual({
      name: 'open',
      mode: 'allow_all',
      description: 'Every tool inside the directories of the agent',
    })
  })

  test('prints the same as YAML and JSON', async () => {
    const [json, yaml] = [
      await shown('get', 'agents/planner', '--json'),
      await shown('get', 'agents/planner', '-o', 'yaml'),
    ]
    expect(yaml).toMatch(/^kind: agents\nname: planner\n/)
    const steady = ({ conditions: _, observed_at: _at, history: _h, ...rest }: Record<string, unknown>) => rest
    expect(steady(parse(yaml))).toEqual(steady(JSON.parse(json)))
    expect(parse(await shown('sources', '-o', 'yaml'))).toMatchObject([{ name: 'default' }])
  })

  test('prints new lines in a pipe with --watch, until Ctrl-C', async () => {
    let moved = false
    const until = (stdout: string) => {
      if (!moved && stdout.includes('policies/reading')) {
        moved = true
        void moveByHand('reading')
      }
      return /policies\/reading .*True .*\n(.*\n)*policies\/reading .*True .*True/.test(stdout)
    }
    const { code, stdout, stderr } = await stand.svc(['get', 'policies', '--watch'], { until })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.match(/^RESOURCE/gm)).toHaveLength(1)
    expect(stdout.match(/^policies\/strict/gm)).toHaveLength(1)
    await shown('drift', 'revert', '--all')
  })

  test('updates the status on events with --watch', async () => {
    let moved = false
    const until = (stdout: string) => {
      if (!moved && stdout.includes('no drift')) {
        moved = true
        void moveByHand('strict')
      }
      return stdout.includes('1 drifted')
    }
    const { code, stderr } = await stand.svc(['status', '--watch'], { until })
    expect([code, stderr]).toEqual([0, ''])
    await shown('drift', 'revert', '--all')
  })
})

test('applies manifests from standard input without deleting anything', async () => {
  const input = 'kind: Policy\nname: piped\nmode: deny_all\n---\nkind: Policy\nname: other\nmode: deny_all\n'
  const applied = await stand.svc(['apply', '-f', '-'], { input })
  expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('succeeded') })
  expect(await modeOf('piped')).toBe('deny_all')
  const one = await stand.svc(['apply', '-f', '-'], { input: 'kind: Policy\nname: piped\nmode: allow_all\n' })
  expect(one.code).toBe(0)
  expect([await modeOf('piped'), await modeOf('other')]).toEqual(['allow_all', 'deny_all'])
  const gone = await stand.agent(['teardown', '-f', '-'], { input: 'kind: Policy\nname: other\nmode: deny_all\n' })
  expect([gone.code, gone.stderr]).toEqual([0, expect.stringContaining('policies/other  delete done')])
  expect((await stand.ask('GET', `${stand.orchestrator}/policies/other`)).status).toBe(404)
  for (const [words, said] of [
    [['apply', '-f', '-', '--prune'], '--prune needs a file or folder'],
    [['apply'], 'no manifests given'],
    [['apply', 'a', '-f', 'b'], 'a and -f b are mutually exclusive'],
  ] as const)
    expect(await stand.svc([...words], { input })).toMatchObject({ code: 64, stderr: expect.stringContaining(said) })
  expect((await stand.svc(['apply', '-f', '-'])).stderr).toContain('standard input contains no manifest')
})

test('lists undeclared resources and how to delete them without --prune', async () => {
  const sent = join(stand.home, 'sent')
  mkdirSync(join(sent, 'policies'), { recursive: true })
  for (const name of ['kept', 'left'])
    writeFileSync(join(sent, 'policies', `${name}.yml`), `name: ${name}\nmode: deny_all\n`)
  expect(await stand.svc(['apply', 'sent'])).toMatchObject({ code: 0, stderr: expect.not.stringContaining('--prune') })
  rmSync(join(sent, 'policies', 'left.yml'))
  const applied = await stand.svc(['apply', 'sent'])
  expect(applied.stderr).toContain(
    'policies/left: created by an earlier apply of sent and no longer declared there\ndelete it with: svc apply sent --prune\n',
  )
  await stand.svc(['apply', 'sent', '--prune'])
  expect((await stand.svc(['apply', 'sent'])).stderr).not.toContain('--prune')
})

test('shows pending changes of a manual source in the status', async () => {
  stand.write('svc.yaml', 'sync:\n  mode: manual\n')
  await eventually(async () => (await shown('sources')).includes('manual'), 20_000, 300)
  stand.write('policies/strict.yml', 'name: strict\nmode: allow_all\n')
  await eventually(
    async () =>
      (await shown('status')).includes(
        'source default: 1 pending change: update policies/strict\n  apply with: svc reconcile --source default',
      ),
    20_000,
    300,
  )
  await stand.svc(['reconcile', '--source', 'default'])
  expect(await shown('status')).not.toContain('waits')
})

describe('explain', () => {
  test('lists the fields of a kind, and describes values, cost and secrecy', async () => {
    const { stdout } = await svc(['explain', 'agent'])
    expect(stdout).toMatch(
      /^agents\n.*\n {2}about {3}A program that runs in its own session[\s\S]*\n {2}shell .*one of zsh, bash: Shell of the session; default zsh/,
    )
    expect((await svc(['explain', 'agents.env.KEY'])).stdout).toMatch(
      /secret {2}stored encrypted[\s\S]*restarts the agent/,
    )
    const trigger = (await svc(['explain', 'workflows.trigger_config'])).stdout
    expect(trigger).toMatch(/expression +text \(required\), only for cron: Five fields/)
  })

  test('suggests the nearest field', async () => {
    const { code, stderr } = await svc(['explain', 'agents.promt'])
    expect([code, stderr]).toEqual([64, 'error: agents has no field promt\nhint: did you mean "prompt"?\n'])
  })
})

test('creates valid manifests with init that converge, and overwrites nothing', async () => {
  const made = await stand.svc(['init', 'first'])
  expect([made.code, made.stderr]).toEqual([0, ''])
  for (const [, path] of made.stdout.matchAll(/^created (.*)$/gm))
    expect(existsSync(join(stand.home, path!))).toBe(true)
  const files = [...made.stdout.matchAll(/^created (.*ya?ml)$/gm)].map(([, path]) => join(stand.home, path!))
  expect(files).toHaveLength(4)
  for (const file of files) expect([editorFaults(file), editorFaults(file, { mod: 'x' }).length]).toEqual([[], 1])
  expect((await stand.svc(['validate', 'first', '--strict'])).code).toBe(0)
  const applied = await stand.svc(['apply', 'first', '--wait'])
  expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('succeeded') })
  const before = readFileSync(join(stand.home, 'first/svc.yaml'), 'utf8')
  const again = await stand.svc(['init', 'first'])
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/already exist; nothing was written\nhint: /)])
  expect(readFileSync(join(stand.home, 'first/svc.yaml'), 'utf8')).toBe(before)
})

test('provides the short verbs of the orchestrator', async () => {
  const sent = await stand.agent(['send', 'planner', 'hello', '--wait'])
  expect([sent.code, sent.stdout]).toEqual([0, 'ECHO(1): hello\n'])
  for (const words of [
    ['approve', 'deadbeef'],
    ['deny', 'deadbeef'],
  ])
    expect((await stand.agent(words)).stderr).toContain('approval deadbeef does not exist')
  expect((await stand.agent(['logs', 'planner'])).code).toBe(0)
  expect((await stand.agent(['attach', 'planner', '--print'])).stdout).toContain('attach -r')
})
