import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { NO_INTENTS } from '../../../controller/planning/intents.ts'
import type { Owned } from '../../../controller/planning/ownership.ts'
import { makePreview, type PassOptions } from '../../../controller/planning/preview.ts'
import type { DesiredResource } from '../../../controller/reading/desired-state.ts'
import { idOf } from '../../../controller/reading/graph.ts'
import { observeKinds } from '../../../controller/watching/observation.ts'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import type { SourceSync } from '../../../schemas/source.ts'
import { Things } from '../fixture.ts'

interface Given {
  /** Names and sizes that manifests declare. */
  desired?: Record<string, number>
  sync?: SourceSync
  /** Applied names and sizes; those in `elsewhere` belong to another source. */
  owned?: Record<string, number>
  elsewhere?: string[]
  live?: Record<string, number>
  complete?: boolean
  options?: PassOptions
}

const spec = (name: string, size: number) => ({ name, size, hard: '', parent: null, env: {} })

async function preview({ desired = {}, sync = {}, owned = {}, elsewhere = [], live, complete, options = {} }: Given) {
  const things = new Things()
  for (const [name, size] of Object.entries(live ?? owned)) things.live.set(`id-${name}`, spec(name, size))
  const entries = Object.entries(owned).map(([name, size]) =>
    entry(name, size, elsewhere.includes(name) ? 'other' : 'one'),
  )
  const reconcilers = [things.reconciler()]
  const lookup = { liveId: () => null, nameOf: () => null }
  const made = makePreview({
    id: 'plan',
    createdAt: '2030-01-01T00:00:00Z',
    source: { name: 'one', root: '/', sync: [] },
    state: {
      revision: 'r',
      resources: Object.entries(desired).map(([name, size]) => resource(name, size)),
      diagnostics: [],
      complete: complete ?? true,
      sync,
    },
    inventory: {
      get: (_, name) => entries.find((other) => other.name === name),
      find: (id) => entries.find((other) => idOf(other) === id),
      byLiveId: (_, liveId) => entries.find((other) => other.liveId === liveId),
      ofSource: (source) => entries.filter((other) => other.source === source),
    },
    intents: NO_INTENTS,
    live: await observeKinds(reconcilers, lookup, new AbortController().signal),
    reconcilers,
    vault: new Vault(randomBytes(32)),
    options,
  })
  const { plan } = atOnce(made)
  return { plan, steps: plan.steps.map(({ action, name }) => `${action} ${name}`) }
}

function resource(name: string, size: number): DesiredResource {
  const position = { line: 1, column: 1 }
  return {
    kind: 'things',
    name,
    spec: spec(name, size),
    file: 'things.yml',
    ...position,
    sync: {},
    dependsOn: [],
    position: () => position,
  }
}

function entry(name: string, size: number, source: string): Owned {
  const { position: _, spec, ...declared } = resource(name, size)
  return {
    ...declared,
    source,
    liveId: `id-${name}`,
    revision: 'r',
    desired: spec,
    applied: spec,
    conditions: [],
    deferredSince: null,
  }
}

test('skips manual resources in automatic passes only', async () => {
  const given: Given = { desired: { a: 1 }, sync: { mode: 'manual' } }
  expect((await preview({ ...given, options: { automatic: true } })).steps).toEqual([])
  expect((await preview(given)).steps).toEqual(['create a'])
})

test('plans only targets and rejects a target without a match', async () => {
  const given: Given = { desired: { a: 1, b: 1 } }
  expect((await preview({ ...given, options: { targets: ['things/b'] } })).steps).toEqual(['create b'])
  await expect(preview({ ...given, options: { targets: ['things/c'] } })).rejects.toThrow(/declares things\/c/)
})

test('deletes only declared and owned resources in a teardown, without budget', async () => {
  const given: Given = {
    desired: { a: 1, b: 1, c: 1, unowned: 1 },
    owned: { a: 1, b: 1, c: 1, other: 1 },
    sync: { max_delete: '1', prune: false },
  }
  const { plan, steps } = await preview({ ...given, options: { teardown: true } })
  expect(steps.sort()).toEqual(['delete a', 'delete b', 'delete c'])
  expect(plan.guard).toBeNull()
  expect((await preview({ ...given, options: { teardown: true, targets: ['things/b'] } })).steps).toEqual(['delete b'])
})

test('reports and keeps resources of another source in a teardown', async () => {
  const { plan, steps } = await preview({
    desired: { a: 1 },
    owned: { a: 1 },
    elsewhere: ['a'],
    options: { teardown: true },
  })
  expect(steps).toEqual([])
  expect(plan.diagnostics.map(({ code }) => code)).toEqual(['owned-elsewhere'])
})

test('prefers overruling rules to those of the source', async () => {
  const given: Given = { desired: { a: 1 }, owned: { a: 1 }, live: { a: 2 }, sync: { drift: 'report' } }
  expect((await preview({ ...given, options: { automatic: true } })).steps).toEqual([])
  expect((await preview({ ...given, options: { overruling: { drift: 'heal' } } })).steps).toEqual(['update a'])
})

test('lets a request override pruning, but never prunes a partly read source', async () => {
  const given: Given = { owned: { a: 1 } }
  expect((await preview(given)).steps).toEqual(['delete a'])
  expect((await preview({ ...given, options: { prune: false } })).steps).toEqual([])
  expect((await preview({ ...given, complete: false })).steps).toEqual([])
})
