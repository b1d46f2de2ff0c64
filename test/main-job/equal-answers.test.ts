import { expect, test } from 'vitest'
import { everyService } from '../../schemas/operations/services.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { askEverything } from './requests.ts'

const DECLARED = 'kind: Policy\nname: declared\nmode: deny_list\ntools: [Bash]\n'

/** Responses must not depend on the load of the machine. */
const NO_ALERTS = Object.fromEntries(['CPU', 'MEMORY', 'DISK'].map((of) => [`SVC_${of}_ALERT_THRESHOLD`, '100']))

type Reconciler = 'on' | 'suspended' | 'off'

/** Starts a new daemon and returns all responses. */
async function answersWith(reconciler: Reconciler): Promise<string[]> {
  const stand = await DaemonStand.create({ env: NO_ALERTS })
  let edits = 0
  const edit = () => stand.write('declared.yml', `# ${edits++}\n${DECLARED}`)
  try {
    edit()
    await stand.startInside(reconciler === 'off' ? { manifests: null } : {})
    const policy = `${stand.orchestrator}/policies/declared`
    if (reconciler === 'off') await stand.ask('PUT', policy, { mode: 'deny_list', tools: ['Bash'] })
    await eventually(async () => (await stand.ask('GET', policy)).status === 200)
    if (reconciler === 'suspended')
      expect((await stand.ask('POST', `${stand.controller}/sources/default/suspend`)).status).toBe(200)
    // Edits keep the reconciler busy meanwhile.
    return [...(await askEverything(stand, edit)), ...(await askDeclared(stand))]
  } finally {
    await stand.close()
  }
}

/** Declared resources can be changed and deleted like all others. */
async function askDeclared(stand: DaemonStand): Promise<string[]> {
  const policy = `${stand.orchestrator}/policies/declared`
  const changed = await stand.ask('PUT', policy, { mode: 'deny_all' })
  const found = await stand.ask('GET', policy)
  const removed = await stand.ask('DELETE', policy)
  return [
    `changed manually: ${changed.status} ${changed.body.mode}`,
    `found: ${found.status} ${found.body.mode}`,
    `deleted manually: ${removed.status}`,
  ]
}

test(
  'answers every documented request alike with the reconciler on, suspended or off',
  { timeout: 180_000 },
  async () => {
    const off = await answersWith('off')
    const asked = everyService.flatMap(({ service, operations }) =>
      service === 'controller'
        ? []
        : Object.values(operations).filter(({ kind }) => kind === 'call' || kind === 'list'),
    )
    expect(off.length).toBeGreaterThan(asked.length * 1.5)
    expect(off.filter((line) => /: 2\d\d /.test(line)).length).toBeGreaterThan(asked.length * 0.6)
    expect(off.filter((line) => /: 5\d\d /.test(line))).toEqual([])
    expect(await answersWith('on')).toEqual(off)
    expect(await answersWith('suspended')).toEqual(off)
  },
)
