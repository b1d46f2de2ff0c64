// New policies apply to pending steps.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const EXTENDED = '--exit-codes=extended'
const agent = (name: string) => `name: ${name}\nworking_dir: .\nshell: bash\nruntime: scripted\n`
const rules = (...names: string[]) =>
  JSON.stringify({
    sync: {
      policies: names.map((name) => ({ name, kind: 'agent', action: 'delete', effect: 'confirm', message: name })),
    },
  })

let stand: DaemonStand
beforeEach(async () => {
  stand = await DaemonStand.create()
  for (const name of ['planner', 'other']) stand.write(`agents/${name}.yml`, agent(name))
  await stand.startReady()
}, 60_000)
afterEach(() => stand.close())

const status = async () => (await stand.svc(['status'])).stdout
const keepBusy = async () => {
  const { id } = await stand.agentNamed('planner')
  expect((await stand.send(id, 'SLOW 600000 think')).status).toBeLessThan(300)
  await eventually(async () => (await stand.agentNamed('planner')).activity === 'busy')
}
const askForDeletion = async () => {
  rmSync(join(stand.manifests, 'agents', 'planner.yml'))
  expect((await stand.svc(['reconcile'])).stdout).toMatch(/waiting.*1 waiting until idle/)
}
const endTurn = async () => {
  const { stdout, stderr, code } = await stand.agent(['orchestrator', 'interrupt', 'planner'])
  expect(code, stdout + stderr).toBe(0)
  await eventually(async () => (await stand.agentNamed('planner')).activity === 'idle')
}

/** Returns the hash of a held deletion. */
const heldBy = async (rule: string) => {
  const { code, stdout } = await stand.svc(['reconcile', EXTENDED])
  expect([code, stdout]).toEqual([
    12,
    expect.stringContaining(`"${rule}" requires confirmation: delete agents/planner`),
  ])
  expect(await stand.agents()).toHaveLength(2)
  return /--confirm ([0-9a-f]{12})/.exec(stdout)![1]!
}
const left = async () => (await stand.agents()).map(({ name }) => name).join()

test('holds a deferred deletion under a newer policy', { timeout: 90_000 }, async () => {
  await keepBusy()
  await askForDeletion()
  stand.write('svc.yaml', rules('agents-stay'))
  await eventually(async () => (await status()).includes('agents-stay'))
  await endTurn()
  const hash = await heldBy('agents-stay')
  expect((await stand.svc(['reconcile', '--confirm', hash, EXTENDED])).code).toBe(0)
  expect(await left()).toBe('other')
})

test('holds a confirmed deletion under another rule until it is removed', { timeout: 90_000 }, async () => {
  stand.write('svc.yaml', rules('agents-stay'))
  await stand.svc(['reconcile'])
  await keepBusy()
  rmSync(join(stand.manifests, 'agents', 'planner.yml'))
  const asked = await stand.svc(['reconcile', '--confirm', await heldBy('agents-stay')])
  expect(asked.stdout).toMatch(/1 waiting until idle/)
  stand.write('svc.yaml', rules('agents-stay', 'nobody-goes'))
  await eventually(async () => (await status()).includes('nobody-goes'))
  await endTurn()
  await heldBy('nobody-goes')
  stand.write('svc.yaml', rules('agents-stay'))
  await eventually(async () => (await left()) === 'other')
})

test('applies the policy in effect when a sync window opens', async () => {
  const shut = { windows: [{ effect: 'deny', schedule: '* * * * *', duration: '2m' }] }
  stand.write('svc.yaml', JSON.stringify({ sync: shut }))
  rmSync(join(stand.manifests, 'agents', 'planner.yml'))
  await eventually(async () => (await status()).includes('1 pending change: delete agents/planner'))
  stand.write('svc.yaml', rules('agents-stay'))
  await eventually(async () => (await status()).includes('agents-stay'))
  await heldBy('agents-stay')
})
