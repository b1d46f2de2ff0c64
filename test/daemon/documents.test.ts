import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Exported } from '../../schemas/manifest/export.ts'
import type { Plan } from '../../schemas/plan.ts'
import type { Drift } from '../../schemas/resource.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

vi.setConfig({ testTimeout: 90_000 })

let stage: DaemonStand
beforeEach(async () => {
  stage = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
  stage.write('documents/handbook.yml', 'name: handbook\ntitle: Handbook\ncontent: Reviews before noon.\n')
})
afterEach(() => stage.close())

const exported = async () => {
  const reply = await fetch(`${stage.controller}/export`, { headers: { accept: 'application/json' } })
  return (await reply.json()) as Exported
}
const plan = async () => (await stage.ask<Plan>('POST', `${stage.controller}/plan`, { source: 'default' })).body

test('reports file edits as drift and keeps unreadable documents', async () => {
  await stage.startReadyInside()
  const file = join(stage.dataDir, 'documents', 'handbook.md')
  appendFileSync(file, 'And after.\n')
  const drifts = () => stage.get<Drift[]>(`${stage.controller}/drift?kind=documents&name=handbook`)
  const [drift] = await eventually(async () => ((await drifts()).length > 0 ? drifts() : null), 30_000)
  expect(drift).toMatchObject({ path: 'content', actor: 'by hand' })
  await stage.stopBy('SIGTERM')

  stage.env.DOCSTORE_DOCUMENTS_ENABLED = 'false'
  await stage.startInside()
  const unseen = await eventually(async () => ((await plan()).diagnostics.length > 0 ? plan() : null), 30_000)
  expect(unseen.steps).toEqual([])
  expect(unseen.diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    expect.stringMatching(
      /^unreachable: documents\/handbook could not be observed \(.*DOCSTORE_DOCUMENTS_ENABLED=true/,
    ),
  ])
  expect((await exported()).warnings).toMatchObject([
    { kind: 'documents', name: '*', message: expect.stringContaining('DOCSTORE_DOCUMENTS_ENABLED=true') },
  ])
  rmSync(join(stage.manifests, 'documents', 'handbook.yml'))
  expect((await plan()).steps).toEqual([])
  await stage.stopBy('SIGTERM')

  stage.write('documents/handbook.yml', 'name: handbook\ntitle: Handbook\ncontent: Reviews before noon.\n')
  delete stage.env.DOCSTORE_DOCUMENTS_ENABLED
  await stage.startInside()
  await eventually(async () => (await plan()).drift.length === 1, 30_000)
  // The same document, edited.
  expect(await plan()).toMatchObject({ steps: [{ action: 'update', reason: 'it drifted' }], diagnostics: [] })
})
