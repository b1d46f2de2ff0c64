// The live services answer the same whether the reconciler works, is suspended, or was never given a source.
import { expect, test } from 'vitest'
import { everyService } from '../../schemas/operations/services.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { askEverything } from './requests.ts'

const DECLARED = 'kind: Policy\nname: declared\nmode: deny_list\ntools: [Bash]\n'

/** A busy machine is no answer's business. */
const NO_ALERTS = Object.fromEntries(['CPU', 'MEMORY', 'DISK'].map((of) => [`SVC_${of}_ALERT_THRESHOLD`, '100']))

type Reconciler = 'on' | 'suspended' | 'off'

/** All answers of a daemon of its own. */
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
    // The reconciler has something to do while it is asked.
    return [...(await askEverything(stand, edit)), ...(await askDeclared(stand))]
  } finally {
    await stand.close()
  }
}

/** Of what a manifest declares: by hand it is changed and removed like everything else. */
async function askDeclared(stand: DaemonStand): Promise<string[]> {
  const policy = `${stand.orchestrator}/policies/declared`
  const changed = await stand.ask('PUT', policy, { mode: 'deny_all' })
  const found = await stand.ask('GET', policy)
  const removed = await stand.ask('DELETE', policy)
  return [
    `changed by hand: ${changed.status} ${changed.body.mode}`,
    `found: ${found.status} ${found.body.mode}`,
    `removed by hand: ${removed.status}`,
  ]
}

test(
  'every documented request is answered the same with the reconciler on, suspended and off',
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
