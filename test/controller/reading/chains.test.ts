import { expect, test } from 'vitest'
import { names, places, read } from './reading.ts'

const chain = (name: string, source: string) =>
  `name: ${name}\nagent: a\nsource:\n  type: dispatch_result\n  source_workflow: ${source}\nprompt_template: go\n`

test('reports a cycle at each workflow and excludes its dependents', () => {
  const state = read({
    'agents/a.yml': 'name: a\nworking_dir: /\n',
    'workflows/build.yml': chain('build', 'release'),
    'workflows/review.yml': chain('review', 'build'),
    'workflows/release.yml': `# released last\n${chain('release', 'review')}`,
    'workflows/after.yml': chain('after', 'release'),
    'workflows/apart.yml': 'name: apart\nagent: a\nsource: { type: manual }\nprompt_template: go\n',
  })
  expect(places(state.diagnostics)).toEqual([
    'workflows/build.yml:5:20 cycle',
    'workflows/release.yml:6:20 cycle',
    'workflows/review.yml:5:20 cycle',
  ])
  expect(state.diagnostics[0]!.message).toBe('dependency cycle: build → release → review → build')
  expect(names(state)).toEqual(['agents/a', 'workflows/apart'])
})
