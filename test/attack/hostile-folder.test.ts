// Special files in a watched folder: none is opened without a bound.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Plan } from '../../schemas/plan.ts'
import type { Source } from '../../schemas/source.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

const MIB = 1024 * 1024
let stand: DaemonStand
let pid: number
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('policies/good.yml', 'name: good\nmode: deny_all\n')
  pid = (await stand.start()).pid!
  await stand.settled()
}, 60_000)
afterAll(() => stand.close())

const resident = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
const at = (name: string) => join(stand.manifests, 'policies', name)
const source = () => stand.get<Source>(`${stand.controller}/sources/default`)

const FILES: Record<string, (path: string) => void> = {
  'a sparse file of 1.9 GB': (path) => {
    writeFileSync(path, 'name: sparse\nmode: deny_all\n')
    truncateSync(path, 1_900_000_000)
  },
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a link to an endless device': (path) => symlinkSync('/dev/zero', path),
  'a link to a file of the system': (path) => symlinkSync('/etc/shadow', path),
  'a link to a folder of processes': (path) => symlinkSync('/proc/self', path),
  'a link to itself': (path) => symlinkSync(path, path),
}

test.each(Object.keys(FILES))('is a fault or ignored, and changes nothing in force: %s', async (what) => {
  const before = resident()
  FILES[what]!(at('odd.yml'))
  // A later file: it shows that the folder was read with the odd one in it.
  stand.write('policies/later.yml', 'name: [\n')
  const plan = await eventually(async () => {
    const { body } = await stand.ask<Plan>('POST', `${stand.controller}/plan`, { source: 'default' })
    return body.diagnostics.some(({ file }) => file === 'policies/later.yml') && body
  })
  expect(JSON.stringify(plan)).not.toMatch(/root:|sparse/)
  expect((await stand.ask('GET', `${stand.controller}/health`)).status).toBe(200)
  const names = (await stand.get<{ name: string }[]>(`${stand.orchestrator}/policies`)).map(({ name }) => name)
  expect(names).toEqual(['good'])
  expect(resident() - before).toBeLessThan(100 * MIB)
  rmSync(at('odd.yml'))
  rmSync(at('later.yml'))
  await eventually(async () => (await source()).error === null)
})
