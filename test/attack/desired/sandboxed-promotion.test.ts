// The sandbox alone keeps an agent from changing its own manifest, and a person's change then needs no confirmation.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

let stand: DaemonStand
const worker = (more = '') => `name: worker\nworking_dir: .\nshell: bash\nruntime: scripted\nrestart: always\n${more}`
const FILE = 'agents/worker.yml'
const ENDED = 'the script has ended'

beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write(FILE, worker())
  // An empty folder must not keep the others from being read-only.
  mkdirSync(join(stand.manifests, 'rooms'))
  writeFileSync(
    join(stand.project, 'promote.sh'),
    [
      `echo 'may: [policy, agent]' >> manifests/${FILE}`,
      `mv manifests old && cp -r old manifests`,
      `mv manifests/agents manifests/agents-old`,
      `echo 'kind: Room' > manifests/rooms/new.yml`,
      `echo '{}' > manifests/svc.yaml`,
      `echo '${ENDED}' > notes.txt`,
    ].join('\n'),
  )
  await stand.startReady()
}, 60_000)
afterAll(() => stand.close())

const mayOf = async () => (await stand.agentNamed('worker')).config.may
const error = async () => (await stand.get(`${stand.controller}/sources/default`)).error as string | null

/** Waits until the worker may do what the manifest says, or the change is held. */
const applied = (may: string[]) =>
  eventually(async () => {
    const [held, found] = [await error(), await mayOf()]
    if (held !== null || JSON.stringify(found) !== JSON.stringify(may))
      throw new Error(`${held}; may ${JSON.stringify(found)}`)
    return true
  }, 20_000)

test('refuses a script of the agent that would change, replace or add manifests', async () => {
  const { id, sandbox } = await stand.agentNamed('worker')
  expect(sandbox?.summary).toMatch(/^on /)
  const before = readFileSync(join(stand.manifests, FILE), 'utf8')
  await stand.send(id, 'USE_TOOL Bash sh promote.sh')
  const notes = join(stand.project, 'notes.txt')
  await eventually(() => existsSync(notes) && readFileSync(notes, 'utf8').includes(ENDED), 20_000)
  expect(readFileSync(join(stand.manifests, FILE), 'utf8')).toBe(before)
  for (const path of ['old', 'manifests/agents-old', 'manifests/rooms/new.yml', 'manifests/svc.yaml'])
    expect([path, existsSync(join(stand.project, path))]).toEqual([path, false])
})

test("applies a person's change at once, although it widens rights", async () => {
  stand.write(FILE, worker('may: [policy]\n'))
  await applied(['policy'])
})

test('applies a change that a person made while the daemon was down', async () => {
  await stand.stopBy('SIGTERM')
  await stand.endSessions()
  stand.write(FILE, worker('may: [policy, agent]\n'))
  await stand.start()
  await applied(['policy', 'agent'])
  await stand.connected()
  expect((await stand.agentNamed('worker')).sandbox?.summary).toMatch(/^on /)
}, 90_000)

test('holds a change that the agent could have made while it ran without a sandbox', async () => {
  stand.write(FILE, worker('may: [policy, agent]\nsandbox: off\n'))
  await eventually(async () => (await stand.agentNamed('worker')).sandbox?.state === 'off', 20_000)
  stand.write(FILE, worker('may: [policy, agent, apply]\nsandbox: off\n'))
  const held = await eventually(error, 20_000)
  expect(held).toMatch(/it widens may; its manifest could have been written by worker/)
})
