import { expect, test } from 'vitest'
import { renderPlan } from '../../../controller/rendering/plan.ts'
import type { Change, Plan, PlanStep } from '../../../schemas/plan.ts'
import { numbers } from '../../support/random.ts'
import { planOf, planStep } from '../../support/plan-records.ts'

const MOST = 65_536
const markdown = (plan: Plan, options = {}) => renderPlan(plan, 'markdown', options)
const prompt = (over: Partial<Change>): Change => ({
  path: 'prompt',
  before: null,
  after: null,
  owner: 'manifest',
  cost: 'in-place',
  ...over,
})
const many = (count: number, make: (index: number) => Partial<PlanStep>) =>
  Array.from({ length: count }, (_, index) => planStep(make(index)))

test('fits thousands of steps, naming all deletions and counting omissions', () => {
  const changes = [prompt({ before: 'x\n'.repeat(50), after: 'y\n'.repeat(50) })]
  const created = many(3000, (index) => ({ name: `new-${index}`, action: 'create', changes }))
  const deleted = many(1500, (index) => ({ name: `old-${index}`, action: 'delete', file: 'a/very/long/way/down.yml' }))
  const text = markdown(planOf({ steps: [...created, ...deleted] }))
  expect(text.length).toBeLessThanOrEqual(MOST)
  expect(deleted.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
  const rows = text.match(/^\| create \|/gm)!.length
  expect(rows).toBeGreaterThan(100)
  expect(text).toContain(`_${3000 - rows} steps are left out here._`)
  const shown = text.match(/<details>/g)?.length ?? 0
  expect(text).toContain(`_The changes of ${3000 - shown} steps are left out here._`)
})

test('names all deletions that are held back', () => {
  const resources = Array.from({ length: 400 }, (_, index) => `agents/agent-${index}`)
  const guard = { deletes: 400, owned: 500, max_delete: '20%', allowed: 100, hash: 'abc', resources }
  const text = markdown(planOf({ guard }))
  expect(text).toContain('override with `svc reconcile --prune-override abc`')
  expect(resources.filter((id) => !new RegExp(`\\b${id.slice('agents/'.length)}\\b`).test(text))).toEqual([])
})

test('counts deletions by kind if their names do not fit', () => {
  const deleted = many(900, (index) => ({ name: `${'o'.repeat(120)}-${index}`, action: 'delete' }))
  const text = markdown(planOf({ steps: deleted }))
  expect(text.length).toBeLessThanOrEqual(MOST)
  expect(text).toContain('**Deletes 900 resources:**')
  expect(text).toContain('**Their names do not fit in a comment** (900 agents)')
})

test('truncates a huge change to leave room for others', () => {
  const lines = (seed: number) => Array.from({ length: 5000 }, (_, index) => `line ${index * seed}`).join('\n')
  const huge = planStep({ name: 'huge', changes: [prompt({ before: lines(1), after: lines(7) })] })
  const small = planStep({ name: 'small', changes: [prompt({ before: 'a', after: 'b' })] })
  const text = markdown(planOf({ steps: [huge, small] }))
  expect(text).toMatch(/ {2}… and [\d]+ more lines\n```/)
  expect(text).toContain('<code>agents/small</code>')
})

test('fits any plan into the size limit', () => {
  const random = numbers(7)
  const some = (most: number) => Math.floor(random() * most)
  const letters = ['a', '|', '`', '\n', '<', '\u{1f600}', ' ', '\u0007', 'word ']
  const text = (most: number) => Array.from({ length: some(most) }, () => letters[some(letters.length)]).join('')
  for (let round = 0; round < 10; round++) {
    const steps = many(some(300), (index) => ({
      name: `n${index}`,
      action: (['create', 'update', 'restart', 'delete'] as const)[some(4)]!,
      reason: text(400),
      file: `${text(200)}.yml`,
      interrupts: some(2) ? text(500) : null,
      changes: [prompt({ before: text(3000), after: text(3000) })],
    }))
    const fault = { severity: 'error' as const, code: 'x', hint: 'y', line: 1, column: 1, kind: null, name: null }
    const plan = planOf({
      steps,
      drift: many(some(200), (index) => ({ name: `d${index}` })).map(({ kind, name }) => ({
        kind,
        name,
        path: text(50),
        desired: 1,
        live: 2,
      })),
      diagnostics: Array.from({ length: some(200) }, () => ({ ...fault, message: text(600), file: text(60) })),
    })
    for (const most of [MOST, 20_000]) expect(markdown(plan, { most }).length).toBeLessThanOrEqual(most)
    const shown = markdown(plan)
    const deleted = steps.filter(({ action }) => action === 'delete')
    expect(deleted.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(shown))).toEqual([])
  }
})

test('shows reason, interrupted work and dependents of each step', () => {
  const step = planStep({ action: 'restart', reason: 'the manifest changed', interrupts: 'dispatch 1f3c' })
  const impact = { stopped: ['agents/planner'], interrupted: ['agents/planner'], affected: ['workflows/nightly'] }
  const text = markdown(planOf({ steps: [step], impact }))
  expect(text).toContain(
    '| restart | `agents/planner` | `agents/planner.yml:7:1` | the manifest changed | dispatch 1f3c |',
  )
  expect(text).toContain('**Stops: agents/planner, 1 of them with work in progress; dependents: workflows/nightly**')
})

const LONG =
  'You review every change of the team before it is merged, with patience and in plain words, and you name what is missing from its tests.'

test('shows the changed words of a long line with their context', () => {
  const change = prompt({
    before: `${LONG}\nBe kind.\n`,
    after: `${LONG.replace('patience', 'care').replace('tests', 'documentation')}\nBe kind.\n`,
  })
  const plan = planOf({ steps: [planStep({ changes: [change] })] })
  expect(markdown(plan)).toContain(
    '\n! …e of the team before it is merged, with [-patience-]{+care+} and in plain words, and',
  )
  expect(markdown(plan)).toContain('[-tests-]{+documentation+}.')
  const human = renderPlan(plan, 'human', { width: 80 })
  expect(human).toContain('with [-patience-]{+care+} and in plain')
  expect(renderPlan(plan, 'human', { colour: true, width: 200 })).toContain('\u001b[32m{+care+}\u001b[39m')
})

test('shows dissimilar lines and lines with diff marks separately', () => {
  const pairs = [
    ['Read the manual first', 'Never touch production'],
    ['keep [-this-] as it is now', 'keep [-this-] as it was now'],
  ] as const
  for (const [before, after] of pairs)
    expect(markdown(planOf({ steps: [planStep({ changes: [prompt({ before, after })] })] }))).toContain(
      `- ${before}\n+ ${after}`,
    )
})
