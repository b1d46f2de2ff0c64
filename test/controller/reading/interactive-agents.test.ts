import { expect, test } from 'vitest'
import { places, read } from './reading.ts'

const agent = (name: string) => `name: ${name}\nworking_dir: /\n`

test('rejects a workflow of an interactive agent until the agent changes', () => {
  const files = (more = '') => ({
    'agents/a.yml': `${agent('a')}${more}`,
    'workflows/w.yml': 'name: w\nagent: a\nsource: { type: manual }\nprompt_template: go\n',
  })
  expect(places(read(files('interactive: true\n')).diagnostics)).toEqual(['workflows/w.yml:2:8 agent-interactive'])
  expect(read(files()).diagnostics).toEqual([])
  expect(places(read(files('interactive: true\nprompt: Begin.\n')).diagnostics)).toContain(
    'agents/a.yml:4:9 conflicting-members',
  )
})
