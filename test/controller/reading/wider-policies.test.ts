import { expect, test } from 'vitest'
import { read } from './reading.ts'

const agent = (name: string, more = '') => `name: ${name}\nworking_dir: /\n${more}`

test('warns of a workflow that allows more than its agent, with both places', () => {
  const flow = (name: string, more: string) =>
    `name: ${name}\nagent: low\nsource: { type: manual }\nprompt_template: x\n${more}`
  const state = read({
    'policies/readers.yml': 'name: readers\nmode: allow_list\ntools: [Read]\n',
    'policies/writers.yml': 'name: writers\nmode: allow_list\ntools: [Read, Write]\n',
    'agents/low.yml': agent('low', 'policy: readers\n'),
    'workflows/free.yml': flow('free', 'tool_policy: { mode: allow_all }\n'),
    'workflows/named.yml': flow('named', 'policy: writers\n'),
    'workflows/narrow.yml': flow('narrow', 'tool_policy: { mode: require_approval }\n'),
    'workflows/own.yml': flow('own', ''),
  })
  expect(state.diagnostics).toMatchObject([
    {
      severity: 'warning',
      code: 'policy-wider',
      file: 'workflows/free.yml',
      line: 5,
      message: 'tool_policy allows every tool, which the policy of agent "low" (agents/low.yml:3) does not',
      hint: expect.stringContaining('omit it to use the policy of the agent'),
    },
    {
      file: 'workflows/named.yml',
      line: 5,
      message: 'policy allows Write, which the policy of agent "low" (agents/low.yml:3) does not',
    },
  ])
  expect(state.resources).toHaveLength(7)
})
