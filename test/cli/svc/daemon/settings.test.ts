// `svc settings`, and `GET /doctor` of the daemon that the commands use.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Check } from '../../../../schemas/operations/gitops/doctor.ts'
import type { ShownSetting } from '../../../../schemas/operations/gitops/settings.ts'
import { DaemonStand } from '../../../support/daemon.ts'

let stand: DaemonStand
let config: string
beforeAll(async () => {
  stand = await DaemonStand.create({ env: { SVC_DRAIN_TIMEOUT_SECS: '5', SVC_FORGE_TOKEN: 'hidden-token' } })
  config = join(stand.home, 'config.yaml')
  writeFileSync(config, '# a comment\ndocuments:\n  path: notes\n')
  stand.write('agents/wide.yml', 'name: wide\nshell: bash\nruntime: scripted\nworking_dir: /\n')
  await stand.start(['bin/svc', 'serve', '--manifests', stand.manifests, '--config', config])
  await stand.settled()
}, 90_000)
afterAll(() => stand.close())

test('prints each setting with its value and origin', async () => {
  const { stdout } = await stand.svc(['settings'])
  expect(stdout).toMatch(/controller +SVC_DRAIN_TIMEOUT_SECS +5 s +SVC_DRAIN_TIMEOUT_SECS\n/)
  expect(stdout).toMatch(/controller +SVC_APPLY_TIMEOUT_SECS +120 s +default\n/)
  expect(stdout).toContain(`${config}:3`)
  expect(stdout).toMatch(/SVC_FORGE_TOKEN +set /)
  expect(stdout).not.toContain('hidden-token')
})

test('prints the settings as the API lists them', async () => {
  const { stdout } = await stand.svc(['settings', '--json'])
  const settings = JSON.parse(stdout) as ShownSetting[]
  expect(settings).toEqual(await stand.get<ShownSetting[]>(`${stand.controller}/settings`))
  expect(settings.find(({ name }) => name === 'documentsPath')).toMatchObject({
    value: join(stand.home, 'notes'),
    origin: { from: 'file', file: config, line: 3 },
  })
  expect(new Set(settings.map(({ service }) => service)).size).toBeGreaterThan(10)
})

test('the daemon makes the checks of svc doctor that do not need the command', async () => {
  const checks = await stand.get<Check[]>(`${stand.controller}/doctor`)
  const { stdout } = await stand.svc(['doctor', '--json'])
  const findings = JSON.parse(stdout) as { check: string; status: string; detail: string }[]
  const statuses = { ok: 'ok', warning: 'warn', fault: 'fail', unknown: 'warn' }
  const shared = checks.map(({ title, state, seen }) => ({ check: title, status: statuses[state], detail: seen }))
  expect(findings.map(({ check, status, detail }) => ({ check, status, detail }))).toEqual(
    expect.arrayContaining(shared),
  )
  expect(findings.map(({ check }) => check).filter((each) => !checks.some(({ title }) => title === each))).toEqual([
    'daemon',
    'version of the daemon',
    'access to the daemon',
    'services of the daemon',
  ])
  expect(checks.find(({ id }) => id === 'sandbox/wide')).toMatchObject({
    state: 'warning',
    expected: 'on, or off in its manifest',
    next: expect.stringContaining('agent orchestrator restart-agent wide'),
  })
  const ids = checks.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
})
