import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const VARIABLES = ['GITHUB_TOKEN', 'SVC_FORGE_TOKEN', 'SVC_TOKEN', 'HOOK_SECRET', 'DATABASE_PASSWORD']

test('gives an agent none of the variables of the daemon', { timeout: 60_000 }, async () => {
  const env = Object.fromEntries(VARIABLES.map((name) => [name, `planted-${name}`]))
  const stand = await DaemonStand.create({ env })
  onTestFinished(() => stand.close())
  await stand.start()
  const file = join(stand.home, 'environment')
  await stand.ask('POST', `${stand.orchestrator}/agents`, {
    name: 'spy',
    working_dir: stand.home,
    runtime: 'socket',
    command: ['sh', '-c', `env > ${file}.part; mv ${file}.part ${file}; exec sleep 1000`],
    env: { OWN: 'mine' },
  })
  const seen = await eventually(() => existsSync(file) && readFileSync(file, 'utf8'), 20_000)
  expect(seen).toContain('OWN=mine')
  expect(seen).not.toContain('planted-')
})
