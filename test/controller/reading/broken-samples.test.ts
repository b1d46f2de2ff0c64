import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { DirectorySource } from '../../../controller/reading/folder/directory-source.ts'
import { renderDiagnostics } from '../../../controller/rendering/diagnostics/index.ts'
import { emptyContext, known, names, places, read } from './reading.ts'

const samples = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'fixtures', 'samples')

function sample(name: string, options = {}) {
  const root = join(samples, name)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yml'))
  return read(Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file))])), {
    root,
    home: samples,
    ...options,
  })
}

const FAULTS = [
  'agents/duplicate-a.yml:1:7 duplicate-name',
  'agents/duplicate-b.yml:1:7 duplicate-name',
  'agents/duplicate-b.yml:2:14 directory-missing',
  'agents/tabs.yml:3:1 tab-indent',
  'agents/typo.yml:2:1 unknown-member',
  'agents/typo.yml:3:8 invalid-value',
  'agents/typo.yml:5:9 missing-member',
  'policies/empty.yml:1:1 empty-file',
  'workflows/unknown-agent.yml:2:8 unknown-reference',
  'workflows/unknown-agent.yml:4:18 template-unclosed',
  'workflows/unknown-agent.yml:8:35 cron-invalid',
  'workflows/unknown-agent.yml:9:18 template-empty',
  'workflows/unknown-agent.yml:13:51 cycle',
  'workflows/unknown-agent.yml:18:51 cycle',
  'workflows/unknown-agent.yml:23:9 chain-without-filter',
]

test('reports every fault with position and next step in one run', () => {
  const { diagnostics, resources, complete } = sample('broken')
  expect(places(diagnostics)).toEqual(FAULTS)
  expect(diagnostics.filter(({ hint, severity }) => hint === '' || severity !== 'error')).toEqual([])
  expect(resources).toEqual([])
  expect(complete).toBe(false)
})

test('returns the same diagnostics for a folder and sent files', async () => {
  const folder = await new DirectorySource({
    ...known,
    home: samples,
    root: join(samples, 'broken'),
    settleMs: 0,
  }).read(emptyContext)
  expect(folder.diagnostics).toEqual(sample('broken').diagnostics)
  expect(folder.revision).toBe(sample('broken').revision)
})

test('names the value, the expected value and the nearest match', () => {
  const text = renderDiagnostics(sample('broken').diagnostics, 'human')
  expect(text).toContain('unknown field "workng_dir" [unknown-member]\n  hint: did you mean "working_dir"?')
  expect(text).toContain('shell should be one of zsh, bash, instead got "fish"')
  expect(text).toContain('mode allow_list needs "tools"')
  expect(text).toContain('agent "twin" is also declared at agents/duplicate-b.yml:1')
  expect(text).toContain('dependency cycle: chain-a → chain-b → chain-a')
  expect(text).toContain('15 errors, 0 warnings in 6 files')
})

test('reads the delivery team with warnings only', () => {
  const state = sample('delivery-team')
  expect(places(state.diagnostics)).toEqual(['workflows/nightly.yml:9:18 template-unknown-variable'])
  expect(state.diagnostics.every(({ severity }) => severity === 'warning')).toBe(true)
  expect(state.complete).toBe(true)
  expect(names(state)).toEqual([
    'policies/ask-first',
    'policies/no-network',
    'policies/read-only',
    'rooms/engineering',
    'rooms/operations',
    'repositories/delivery-team',
    'agents/planner',
    'agents/reviewer',
    'agents/worker',
    'workflows/build-queue',
    'workflows/deploy-hook',
    'workflows/nightly-review',
    'workflows/on-demand',
    'workflows/plan-issues',
    'workflows/review-chain',
  ])
})

test('treats warnings as errors under strict and excludes their manifests', () => {
  const state = sample('delivery-team', { strict: true })
  expect(state.diagnostics.every(({ severity }) => severity === 'error')).toBe(true)
  expect(state.complete).toBe(false)
  expect(names(state)).not.toContain('workflows/on-demand')
})
