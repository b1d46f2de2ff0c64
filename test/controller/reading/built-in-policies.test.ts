import { expect, test } from 'vitest'
import type { AgentSpec } from '../../../schemas/agent.ts'
import { read } from './reading.ts'

const agent = (policy: string) => `name: a\nworking_dir: /\npolicy: ${policy}\n`
const policyOf = (files: Record<string, string>) => {
  const { resources, diagnostics } = read(files)
  expect(diagnostics).toEqual([])
  return (resources.find(({ kind }) => kind === 'agents')!.spec as AgentSpec).tool_policy
}

test('finds a built-in policy without a manifest', () => {
  expect(policyOf({ 'agents/a.yml': agent('open') })).toEqual({ mode: 'allow_all' })
  const { mode, otherwise, tools } = policyOf({ 'agents/a.yml': agent('reviewer') })
  expect([mode, otherwise, tools?.includes('Bash(git log *)')]).toEqual(['allow_list', 'ask', true])
})

test('prefers a manifest of the same name', () => {
  const policy = 'name: reviewer\nmode: deny_all\n'
  expect(policyOf({ 'agents/a.yml': agent('reviewer'), 'policies/reviewer.yml': policy })).toEqual({ mode: 'deny_all' })
})

test('waits for an invalid manifest of the same name', () => {
  const policy = 'name: reviewer\nmode: none\n'
  const { resources } = read({ 'agents/a.yml': agent('reviewer'), 'policies/reviewer.yml': policy })
  expect(resources).toEqual([])
})

test('compares a workflow with the built-in policy of its agent', () => {
  const { diagnostics } = read({
    'agents/a.yml': agent('reviewer'),
    'workflows/w.yml': 'name: w\nagent: a\nsource: {type: manual}\nprompt_template: x\npolicy: builder\n',
  })
  expect(diagnostics).toMatchObject([{ code: 'policy-wider', message: expect.stringContaining('policy allows ') }])
})

test('suggests a built-in name for a misspelt one', () => {
  expect(read({ 'agents/a.yml': agent('reviwer') }).diagnostics).toMatchObject([
    { code: 'unknown-reference', hint: 'did you mean "reviewer"?' },
  ])
})
