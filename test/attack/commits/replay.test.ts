import { expect, onTestFinished, test } from 'vitest'
import type { Run } from '../../../schemas/run.ts'
import type { Source } from '../../../schemas/source.ts'
import { times } from '../campaign.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { request } from '../../support/http.ts'
import { Origin } from '../../platform/git/origin.ts'

/** 24 commits contain each kind of change. */
const COMMITS = times(200, 24)
const PATIENCE_MS = 600_000

const policy = (name: string, tool: string) => `name: ${name}\nmode: allow_list\ntools: [${tool}]\n`

/** Every seventh commit is broken. */
function changeOf(at: number): { files: Record<string, string | null>; isBroken: boolean } {
  const file = (number: number) => `team/policies/p${number}.yml`
  if (at % 7 === 3) return { files: { 'team/policies/broken.yml': `name: [${at}\n`, [file(0)]: null }, isBroken: true }
  return {
    files: {
      'team/policies/broken.yml': null,
      [file(0)]: policy('p0', `Tool${at}`),
      [file(at % 20)]: policy(`p${at % 20}`, `Tool${at}`),
      ...(at > 20 && at % 11 === 0 ? { [file(19)]: null } : {}),
    },
    isBroken: false,
  }
}

test('applies every sound commit and changes nothing for a broken one', { timeout: PATIENCE_MS }, async () => {
  const origin = new Origin()
  let good = origin.commit({ 'team/policies/p0.yml': policy('p0', 'Tool0') })
  const stand = await DaemonStand.create()
  onTestFinished(() => stand.close())
  await stand.start(['bin/svc', 'serve', '--manifests', `git+${origin.url}#main:team`])
  const source = () => request<Source>('GET', `${stand.controller}/sources/default`)
  await eventually(async () => (await source()).applied_revision === good, PATIENCE_MS)
  const live = async () => {
    const policies = await request<{ name: string; tools: string[] }[]>('GET', `${stand.orchestrator}/policies`)
    return Object.fromEntries(policies.map(({ name, tools }) => [name, tools[0]!]))
  }
  const wanted: Record<string, string> = { p0: 'Tool0' }
  const seen = { sound: 0, broken: 0 }
  for (let at = 1; at <= COMMITS; at++) {
    const { files, isBroken } = changeOf(at)
    const commit = origin.commit(files)
    const { run_id } = await request<{ run_id: string }>('POST', `${stand.controller}/sources/default/sync`)
    const run = await eventually(async () => {
      const now = await request<Run>('GET', `${stand.controller}/runs/${run_id}`)
      return now.status !== 'running' && now
    })
    if (!isBroken) {
      good = commit
      for (const [path, text] of Object.entries(files)) {
        const name = /p\d+/.exec(path)?.[0]
        if (name && text) wanted[name] = /\[(\w+)\]/.exec(text)![1]!
        else if (name) delete wanted[name]
      }
    }
    expect([at, run.status, run.error ?? ''], run.error ?? '').toEqual([
      at,
      isBroken ? 'failed' : 'succeeded',
      isBroken ? expect.stringContaining(`commit ${commit} has`) : '',
    ])
    expect(await source()).toMatchObject({
      revision: good,
      attempted_revision: commit,
      applied_revision: good,
      error: isBroken ? expect.stringContaining(`commit ${good} stays in force`) : null,
    })
    expect(await live()).toEqual(wanted)
    seen[isBroken ? 'broken' : 'sound']++
  }
  const broken = Math.floor((COMMITS + 4) / 7)
  expect(seen).toEqual({ sound: COMMITS - broken, broken })
})
