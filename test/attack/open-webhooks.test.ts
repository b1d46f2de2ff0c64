// A webhook without a secret gives every caller of the port an agent's prompt.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WorkflowRecord } from '../../schemas/workflow.ts'
import type { Result } from '../support/command.ts'
import { DaemonStand } from '../support/daemon.ts'
import { Origin } from '../platform/git/origin.ts'

const AGENT = 'name: worker\nworking_dir: .\nshell: bash\nruntime: scripted\ntool_policy: {mode: deny_all}\n'
const HOOK = 'name: hook\nagent: worker\nsource: { type: webhook }\nprompt_template: "{{title}}"\n'

let stand: DaemonStand
let token: string
let hook: WorkflowRecord
/** Applied by hand. */
let mine: string
const closing: (() => void)[] = []

beforeAll(async () => {
  stand = await DaemonStand.create({ env: { SVC_AUTH: 'on' } })
  const { stdout } = await stand.svc(['token', 'create', 'ada', '--role', 'admin'])
  token = stdout.trim()
  const origin = new Origin((close) => closing.push(close))
  origin.commit({ 'policies/a.yml': 'name: a\nmode: deny_all\n' })
  const config = join(stand.home, 'config.yaml')
  writeFileSync(config, `sources:\n  - name: team\n    git: { url: "${origin.url}" }\n`)
  stand.write('agents/worker.yml', AGENT)
  await start(config)
  stand.write('workflows/hook.yml', HOOK)
  mine = join(stand.home, 'mine')
  mkdirSync(join(mine, 'workflows'), { recursive: true })
  writeFileSync(join(mine, 'workflows', 'own.yml'), HOOK.replace('hook', 'own'))
}, 60_000)
afterAll(async () => {
  await stand.svc(['down', '--agents'], { env: { SVC_TOKEN: token } })
  await stand.close()
  for (const close of closing) close()
})

const start = (config: string) => stand.start(['bin/svc', 'serve', '--manifests', stand.manifests, '--config', config])
const asAda = (args: string[]) => stand.svc(args, { env: { SVC_TOKEN: token } })
const bearer = () => ({ authorization: `Bearer ${token}` })

async function deliver(url: string): Promise<{ status: number; code?: string; detail?: string }> {
  const { status, body } = await stand.ask('POST', url, { title: 'USE_TOOL Bash id' })
  return { status, ...body }
}

describe('with SVC_AUTH=on', () => {
  test.each([
    ['svc validate', () => stand.svc(['validate', stand.manifests])],
    ['svc plan', () => asAda(['plan', stand.manifests])],
    ['svc reconcile', () => asAda(['reconcile', '--wait'])],
    ['svc apply', () => asAda(['apply', mine])],
    ['agent apply', () => stand.agent(['apply', mine], { env: { SVC_TOKEN: token } })],
  ] as [string, () => Promise<Result>][])('is a warning of %s with field, place and setting', async (_what, run) => {
    const { code, stdout, stderr } = await run()
    expect(code, stderr).toBe(0)
    const text = stdout.replace(/\s+/g, ' ')
    expect(text).toMatch(/warning: (workflows\/\w+\.yml:3:9: )?source has no secret: every caller can create tasks/)
    expect(text).toMatch(/workflows\/\w+\.yml:3:9: .*SVC_OPEN_WEBHOOKS=on \[secret-missing\]/)
  })

  test('is a warning of the record', async () => {
    const listed = await stand.ask<WorkflowRecord[]>('GET', `${stand.orchestrator}/workflows`, undefined, bearer())
    hook = listed.body.find(({ name }) => name === 'hook')!
    expect(hook.warnings).toEqual([expect.stringContaining('SVC_OPEN_WEBHOOKS=on')])
  })

  test('refuses a delivery and creates no task', async () => {
    expect(await deliver(`${stand.orchestrator}/webhooks/${hook.id}`)).toMatchObject({
      status: 401,
      code: 'secret-missing',
      detail: expect.stringMatching(/set secret in its trigger, or .* SVC_OPEN_WEBHOOKS=on/),
    })
    const url = `${stand.orchestrator}/workflows/${hook.id}/history`
    expect((await stand.ask('GET', url, undefined, bearer())).body).toEqual([])
  })

  test('refuses a delivery to a git source without a secret', async () => {
    expect(await deliver(`${stand.controller}/sources/team/webhook`)).toMatchObject({
      status: 401,
      code: 'secret-missing',
      detail: expect.stringContaining('webhook_secret_variable'),
    })
  })

  test('doctor lists the workflow, the effect and the setting', async () => {
    const { stdout } = await asAda(['doctor', '-o', 'json'])
    const findings = JSON.parse(stdout) as { check: string; status: string; detail: string; fix: string }[]
    expect(findings.find(({ check }) => check === 'webhooks')).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/^deliveries are refused, because these workflows have no webhook secret: .*hook/),
      fix: expect.stringContaining('SVC_OPEN_WEBHOOKS=on'),
    })
  })
})

test('accepts the delivery with SVC_OPEN_WEBHOOKS=on', async () => {
  await stand.stopBy('SIGTERM')
  stand.env.SVC_OPEN_WEBHOOKS = 'on'
  await start(join(stand.home, 'config.yaml'))
  expect((await deliver(`${stand.orchestrator}/webhooks/${hook.id}`)).status).toBe(202)
  expect((await deliver(`${stand.controller}/sources/team/webhook`)).status).toBe(401)
}, 60_000)
