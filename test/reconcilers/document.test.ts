import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { services } from '../../daemon/services.ts'
import { documentReconciler } from '../../reconcilers/document.ts'
import { docstore } from '../../services/docstore/service.ts'
import { onEachDatabase, sqliteDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { ask } from '../support/http.ts'
import { startServices, type ServiceStand } from '../support/services.ts'
import { reconcilerContract, stepOf } from './contract.ts'

const specOf = (name: string) => ({ name, title: 'Handbook', content: '# Handbook\n', tags: ['a', 'b'] })
const lookup = { liveId: () => null, nameOf: () => null }
const { signal } = new AbortController()
const mira = { 'x-svc-actor': 'mira' }
const served = () => services({ sources: [] }).filter(({ name }) => name === 'docstore')

onEachDatabase((database) => {
  let stand: ServiceStand
  afterAll(() => stand.close())
  const reconciler = () => documentReconciler(stand.host.find(docstore)!)
  const url = (path: string) => `${stand.host.urls.docstore}/v1/documents${path}`
  const file = (name: string) => join(stand.folder, 'data', 'documents', name)
  const made = async (name: string) => {
    await reconciler().apply(stepOf('create', name, specOf(name)), lookup, signal)
    return name
  }
  const observe = async (name: string) => (await reconciler().observe({ name, liveId: name }, lookup, signal))!

  reconcilerContract(async () => {
    stand = await startServices(served(), { url: database.url })
    return {
      reconciler: reconciler(),
      lookup,
      spec: specOf,
      changed: (spec) => ({ spec: { ...spec, title: 'Changed' }, path: 'title' }),
      byHand: async (liveId) => {
        expect((await ask('PATCH', url(`/${liveId}`), { tags: ['of mira'] }, mira)).status).toBe(200)
        return { path: 'tags', actor: 'mira' }
      },
      foreign: async (name) => void (await ask('POST', url(''), { title: name, content: 'of somebody' }, mira)),
    }
  })

  test('publishes a file edit as a manual change', async () => {
    const heard: string[] = []
    const unsubscribe = reconciler().changes(({ name, by }) => heard.push(`${name} ${by?.actor}`))
    const name = await made('in-an-editor')
    const { version } = await observe(name)
    writeFileSync(file(`${name}.md`), 'edited')
    await eventually(() => heard.includes('in-an-editor by hand'))
    unsubscribe()
    const now = await observe(name)
    expect([now.spec.content, now.version! > version!]).toEqual(['edited', true])
    expect(await reconciler().writer(name, 'content')).toMatchObject({ actor: 'by hand' })
    expect(await reconciler().writer(name, 'title')).toMatchObject({ actor: 'controller' })
  })

  test('records a sidecar edit as a revision with its field', async () => {
    const name = await made('in-the-sidecar')
    const { version } = await observe(name)
    const sidecar = file(`.docstore/${name}.json`)
    writeFileSync(sidecar, JSON.stringify({ ...JSON.parse(readFileSync(sidecar, 'utf8')), title: 'By hand' }))
    const now = await observe(name)
    expect([now.spec.title, now.version! > version!]).toEqual(['By hand', true])
    expect(await reconciler().writer(name, 'title')).toMatchObject({ actor: 'by hand' })
    expect((await ask('GET', url(`/${name}/revisions`))).body).toMatchObject([{ revision: 2, by: 'by hand' }, {}])
  })

  test('increments the version of a recreated document', async () => {
    const name = await made('again')
    const { version } = await observe(name)
    await reconciler().remove({ name, liveId: name }, 'run-2', signal)
    await made(name)
    expect((await observe(name)).version).toBeGreaterThan(version!)
  })

  test('does not overwrite an existing file', async () => {
    writeFileSync(file('taken.md'), 'of somebody')
    await expect(made('taken')).rejects.toThrow(/changed since it was read/)
    expect(readFileSync(file('taken.md'), 'utf8')).toBe('of somebody')
  })
})

test('fails to observe and create without a document folder', async () => {
  const database = await sqliteDatabase()
  const stand = await startServices(served(), { url: database.url, env: { DOCSTORE_DOCUMENTS_ENABLED: 'false' } })
  const reconciler = documentReconciler(stand.host.find(docstore)!)
  const step = stepOf('create', 'x', specOf('x'))
  for (const asked of [
    () => reconciler.observeAll(lookup, signal),
    () => reconciler.observe({ name: 'x', liveId: null }, lookup, signal),
    () => reconciler.apply(step, lookup, signal),
  ])
    await expect(asked()).rejects.toThrow('DOCSTORE_DOCUMENTS_ENABLED=true')
  await stand.close()
  await database.remove()
})
