import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { AmbiguousError, type Reconciler } from '../../controller/reconciler.ts'
import { repositoryReconciler } from '../../reconcilers/repository.ts'
import type { RepositorySpec } from '../../schemas/repository.ts'
import type { InspectedRepository } from '../../services/code-index/face.ts'
import { index } from '../../services/code-index/service.ts'
import { makeTree, SAMPLE, startEndpoint, startIndex, type IndexStand } from '../services/code-index/stand.ts'
import { onEachDatabase, sqliteDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { reconcilerContract, stepOf } from './contract.ts'

const mira = { actor: 'mira', requestId: 'r-9', endpoint: 'PATCH /repositories/{id}' }

onEachDatabase((database) => {
  let stand: IndexStand
  const tree = makeTree(SAMPLE)
  afterAll(async () => {
    await stand.close()
    tree.remove()
  })
  const face = () => stand.host.find(index)!
  const reconciler = (): Reconciler<RepositorySpec, InspectedRepository> => repositoryReconciler(face())
  const lookup = { liveId: () => null, nameOf: () => null }
  const { signal } = new AbortController()
  const specOf = (name: string): RepositorySpec => {
    const path = join(tree.path, 'all', name)
    mkdirSync(path, { recursive: true })
    return { name, path, languages: ['python'], ignore: ['old/'] }
  }

  reconcilerContract(async () => {
    stand = await startIndex(database.url)
    return {
      reconciler: reconciler(),
      lookup,
      spec: specOf,
      changed: (spec) => ({ spec: { ...spec, ignore: ['new/'] }, path: 'ignore' }),
      byHand: async (liveId) => {
        await face().update(liveId, { languages: null }, { ...mira })
        return { path: 'languages', actor: 'mira' }
      },
      foreign: async (name) => void (await face().create({ ...specOf(name), languages: ['rust'] }, { ...mira })),
    }
  })

  test('becomes Ready when indexed, publishes it, and is searchable', async () => {
    const liveId = randomUUID()
    const moved: string[] = []
    const unsubscribe = reconciler().changes(({ name }) => void moved.push(name))
    const spec = { name: 'whole', path: tree.path, languages: null, ignore: ['all/'] }
    await reconciler().apply(stepOf('create', liveId, spec), lookup, signal)
    const health = async () => {
      const { live } = (await reconciler().observe({ name: 'whole', liveId }, lookup, signal))!
      return reconciler().health(live)
    }
    const seen = new Set<string>()
    await eventually(async () => seen.add((await health()).status).has('Ready'))
    expect([...seen].at(-1)).toBe('Ready')
    expect((await health()).message).toMatch(/^indexed: 4 files, \d+ chunks$/)
    const { results } = await face().search({ query: 'Purse', search_mode: 'keyword' })
    expect(results[0]).toMatchObject({ repo_id: liveId, symbol_name: 'Purse' })
    // Published: registered, indexed, ready.
    await eventually(() => moved.filter((name) => name === 'whole').length >= 3)
    unsubscribe()
  })

  test('rejects an ambiguous name', async () => {
    for (const name of ['one', 'two']) await face().create({ name: 'same', path: specOf(name).path })
    await expect(reconciler().observe({ name: 'same', liveId: null }, lookup, signal)).rejects.toThrow(AmbiguousError)
  })

  test('rejects a directory registered under another name', async () => {
    await face().create({ name: 'first', path: specOf('taken').path })
    const spec = { ...specOf('taken'), name: 'second' }
    const applied = reconciler().apply(stepOf('create', randomUUID(), spec), lookup, signal)
    await expect(applied).rejects.toThrow(/is registered as repository first/)
  })

  test('replaces the repository for another path', async () => {
    const liveId = randomUUID()
    await reconciler().apply(stepOf('create', liveId, specOf('before')), lookup, signal)
    const next = { ...specOf('after'), name: 'before' }
    const { spec } = await reconciler().apply(
      stepOf('replace', liveId, next, { seen: specOf('before') }),
      lookup,
      signal,
    )
    expect(spec).toEqual(next)
  })
})

test('reports a failed index as Degraded, and progress after a retry', async () => {
  const [database, endpoint, tree] = [await sqliteDatabase(), await startEndpoint(), makeTree(SAMPLE)]
  endpoint.answer = 'down'
  const stand = await startIndex(database.url, { SVC_INDEX_EMBEDDING_ENDPOINT: endpoint.url })
  const face = stand.host.find(index)!
  const { id } = await face.create({ name: 'tree', path: tree.path })
  await stand.settled(id, 'error')
  const health = async () => repositoryReconciler(face).health(await face.declared.inspect(id))
  expect(await health()).toEqual({ status: 'Degraded', message: expect.stringContaining('returned 404') })
  endpoint.answer = 'well'
  endpoint.delayMs = 300
  await face.reindex(id)
  expect((await health()).status).toBe('Progressing')
  await stand.settled(id, 'ready')
  expect((await health()).status).toBe('Ready')
  await stand.close()
  await endpoint.close()
  await database.remove()
  tree.remove()
})

test('names files that ended the parser in the message of Ready', async () => {
  const database = await sqliteDatabase()
  const tree = makeTree({ 'src/deep.ts': `const a = ${'['.repeat(500_000)}\n` })
  const stand = await startIndex(database.url, { SVC_INDEX_EMBEDDING_PROVIDER: 'builtin' })
  const face = stand.host.find(index)!
  const { id } = await stand.indexed(tree.path)
  const note = expect.stringMatching(
    /; 1 file ended the parser and is split by lines: src\/deep\.ts \(crashed \(SIG\w+\)\): /,
  )
  expect(repositoryReconciler(face).health(await face.declared.inspect(id))).toEqual({ status: 'Ready', message: note })
  await stand.close()
  await database.remove()
  tree.remove()
})
