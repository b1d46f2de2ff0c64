// Runs the scripts of the reusable pull request workflow as a forge would.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createAjv } from '../../../schemas/validation/ajv.ts'
import { svc } from '../../support/command.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { root } from '../../support/root.ts'

interface Step {
  name?: string
  run?: string
}
interface Workflow {
  on: { workflow_call: { inputs: Record<string, unknown>; secrets: Record<string, unknown> } }
  jobs: { plan: { env: Record<string, string>; steps: Step[] } }
}

const text = readFileSync(join(root, '.github/workflows/svc-plan.yml'), 'utf8')
const workflow = parse(text) as Workflow
const steps = workflow.jobs.plan.steps
const policy = (name: string, tools: string) => `name: ${name}\nmode: allow_list\ntools: [${tools}]\n`

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('svc.yaml', 'sync: {mode: manual}\n')
  for (const name of ['a', 'b', 'c', 'd']) stand.write(`policies/${name}.yml`, policy(name, 'Read'))
  await stand.startInside()
  expect((await stand.svc(['reconcile', '--wait'])).code).toBe(0)
}, 60_000)
afterAll(() => stand.close())
beforeEach(() => {
  for (const name of ['a', 'b', 'c', 'd']) stand.write(`policies/${name}.yml`, policy(name, 'Read'))
  for (const file of ['plan.md', 'summary.md']) rmSync(join(stand.project, file), { force: true })
})

/** Runs a step in a shell that stops at the first failure. */
function run(name: string, daemon = stand.controller): Promise<{ code: number; stdout: string }> {
  const script = steps.find((step) => step.name === name)!.run!
  const env = {
    ...stand.env,
    PATH: `${join(root, 'bin')}${delimiter}${stand.env.PATH}`,
    MANIFESTS: 'manifests',
    SOURCE: 'default',
    DAEMON: daemon,
    GITHUB_STEP_SUMMARY: join(stand.project, 'summary.md'),
  }
  return new Promise((done) => {
    execFile('bash', ['-eo', 'pipefail', '-c', script], { cwd: stand.project, env }, (error, stdout) =>
      done({ code: error ? Number(error.code) : 0, stdout }),
    )
  })
}

test('passes valid manifests with their changes in summary and comment', async () => {
  stand.write('policies/a.yml', policy('a', 'Grep'))
  expect(await run('Validate')).toEqual({ code: 0, stdout: 'no errors\n' })
  expect((await run('Plan')).code).toBe(0)
  for (const file of ['plan.md', 'summary.md'])
    expect(readFileSync(join(stand.project, file), 'utf8')).toMatch(/^### Plan: 1 to update; 3 unchanged.\n/)
})

test('passes without changes', async () => {
  expect((await run('Plan')).code).toBe(0)
  expect(readFileSync(join(stand.project, 'plan.md'), 'utf8')).toBe('### No changes. 4 resources are as desired.\n')
})

test('fails at the line of a fault', async () => {
  stand.write('policies/a.yml', 'name: a\nmod: allow_all\n')
  const { code, stdout } = await run('Validate')
  expect([code, stdout]).toEqual([13, expect.stringMatching(/^::error file=manifests\/policies\/a.yml,line=2,/m)])
  expect((await run('Plan')).code).toBe(13)
})

test('fails for deletions above the budget and names them', async () => {
  for (const name of ['a', 'b', 'c']) rmSync(join(stand.manifests, 'policies', `${name}.yml`))
  expect((await run('Plan')).code).toBe(11)
  expect(readFileSync(join(stand.project, 'plan.md'), 'utf8')).toMatch(
    /override with `svc reconcile --source default --prune-override [0-9a-f]+`\n\n- policies \(3\): a, b, c\n/,
  )
})

test('fails if the daemon does not respond', async () => {
  expect((await run('Plan', 'http://127.0.0.1:1')).code).toBe(1)
})

test('inserts no caller value into a script; docs/ci.md names every input', () => {
  expect(steps.filter(({ run: script }) => script?.includes('${{'))).toEqual([])
  const page = readFileSync(join(root, 'docs', 'ci.md'), 'utf8')
  const { inputs, secrets } = workflow.on.workflow_call
  expect([...Object.keys(inputs), ...Object.keys(secrets)].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('writes schemas for editors and the line that references one', async () => {
  const folder = join(stand.manifests, '.schemas')
  const { code, stdout } = await svc(['schema', '--folder', folder])
  expect([code, stdout]).toEqual([0, expect.stringContaining('policies: # yaml-language-server: $schema=')])
  const [, path] = /policies: # yaml-language-server: \$schema=(\S+)/.exec(stdout)!
  const file = join(stand.manifests, 'policies', path!)
  expect(existsSync(file)).toBe(true)
  const valid = createAjv().compile(JSON.parse(readFileSync(file, 'utf8')) as object)
  expect([valid(parse(policy('a', 'Read'))), valid({ name: 'a', mod: 'x' })]).toEqual([true, false])
  stand.write('policies/a.yml', `# yaml-language-server: $schema=${path}\n${policy('a', 'Read')}`)
  expect((await stand.svc(['plan', stand.manifests, '--source', 'default', '--detailed-exitcode'])).code).toBe(0)
})

test('rejects a kind with a folder, and an unwritable folder', async () => {
  expect((await svc(['schema'])).code).toBe(64)
  expect((await svc(['schema', 'agents', '--folder', 'x'])).code).toBe(64)
  const file = join(stand.home, 'file')
  writeFileSync(file, '')
  const { code, stderr } = await svc(['schema', '--folder', join(file, 'x')])
  expect([code, stderr]).toEqual([1, expect.stringContaining('hint: use a writable folder')])
})
