import { describe, expect, test } from 'vitest'
import { checkAgentInput, checkAgentPatch, checkDirectoryInput } from '../../schemas/agent/check.ts'
import type { AgentInput } from '../../schemas/agent.ts'
import type { Fault } from '../../schemas/kind.ts'
import { checkPolicyInput } from '../../schemas/policy.ts'
import { canonicalPolicy, type ToolPolicy } from '../../schemas/tools/policy.ts'
import { policyFaults } from '../../schemas/tools/policy-faults.ts'
import { checkWorkflowInput, checkWorkflowPatch } from '../../schemas/workflow/check.ts'
import type { WorkflowInput } from '../../schemas/workflow.ts'

const brief = (faults: Fault[]) => faults.map(({ path, code }) => `${path.join('.')} ${code}`)

describe('a policy', () => {
  const faultsOf = (policy: object) => policyFaults(policy, ['tool_policy'])

  test.each([
    [{ mode: 'allow_list', tools: [], ask: ['Bash(git push *)'], deny: ['Read(.env)'], otherwise: 'ask' }],
    [{ mode: 'deny_list', tools: [], ask: ['Bash(echo $X *)'], deny: [], otherwise: 'deny' }],
    [{ mode: 'deny_all', ask: [], deny: [] }],
  ])('may be %j', (policy) => expect(faultsOf(policy)).toEqual([]))

  test('reports every field that its mode does not take, with the cure', () => {
    expect(faultsOf({ mode: 'allow_all', ask: ['Read'], deny: ['Bsh'], otherwise: 'ask' })).toEqual([
      ...['ask', 'deny', 'otherwise'].map((member) => ({
        path: ['tool_policy', member],
        code: 'conflicting-members',
        message: `mode allow_all does not take "${member}"`,
        hint: 'remove it, or use mode allow_list or deny_list',
      })),
      {
        path: ['tool_policy', 'deny', 0],
        code: 'invalid-value',
        message: '"Bsh" can never match: there is no tool Bsh',
        hint: 'did you mean "Bash"?',
      },
    ])
    expect(faultsOf({ mode: 'deny_list', tools: ['x y'], deny: ['Bash'] })).toMatchObject([
      { path: ['tool_policy', 'deny'], hint: 'move its entries to tools: a deny_list refuses what tools lists' },
      { path: ['tool_policy', 'tools', 0], message: '"x y" is not a tool entry' },
    ])
    expect(faultsOf({ mode: 'auto', otherwise: 'deny' })).toMatchObject([{ path: ['tool_policy', 'otherwise'] }])
  })

  test('omits fields that have their default', () => {
    const tools = ['Read', 'Bash', 'Read']
    const canonicalOf = (policy: ToolPolicy) => canonicalPolicy(policy, 'allow_all')
    expect(canonicalOf({ mode: 'allow_list', tools, ask: [], deny: [], otherwise: 'deny' })).toEqual({
      mode: 'allow_list',
      tools: ['Bash', 'Read'],
    })
    expect(canonicalOf({ mode: 'deny_list', tools, ask: ['b', 'a', 'b'], deny: ['c'], otherwise: 'ask' })).toEqual({
      mode: 'deny_list',
      tools: ['Bash', 'Read'],
      ask: ['a', 'b'],
    })
    expect(canonicalOf({ mode: 'allow_all', tools, ask: ['a'], otherwise: 'ask' })).toEqual({ mode: 'allow_all' })
    expect(canonicalOf({ mode: 'allow_list', tools: [], deny: ['a'], otherwise: 'ask' })).toEqual({
      mode: 'allow_list',
      tools: [],
      deny: ['a'],
      otherwise: 'ask',
    })
  })
})

describe('an agent', () => {
  const sound: AgentInput = { name: 'a', working_dir: '/tmp' }

  test('has no faults if valid', () => {
    expect(checkAgentInput(sound)).toEqual([])
    expect(checkAgentPatch({ config: { model: 'x', tool_policy: null, additional_dirs: null } })).toEqual([])
  })

  test('reports all faults at once', () => {
    const faults = checkAgentInput({
      name: ' ',
      working_dir: '.',
      additional_dirs: ['/x', '~/y'],
      runtime: 'acp',
      tool_policy: { mode: 'allow_list' },
    })
    expect(brief(faults)).toEqual([
      'name invalid-value',
      'working_dir invalid-value',
      'additional_dirs.1 invalid-value',
      'tool_policy.mode missing-member',
      'command missing-member',
    ])
    expect(faults[1]!.message).toBe('should be an absolute path, instead got "."')
  })

  test('is checked in patches, except what depends on the stored agent', () => {
    const patch = {
      name: '',
      working_dir: 'x',
      config: { tool_policy: { mode: 'deny_list' as const }, runtime: 'acp' },
    }
    expect(brief(checkAgentPatch(patch as never))).toEqual([
      'name invalid-value',
      'working_dir invalid-value',
      'config.tool_policy.mode missing-member',
    ])
  })

  test('reports each unsupported field if interactive', () => {
    expect(brief(checkAgentInput({ ...sound, interactive: true, prompt: 'Begin.' }))).toEqual([
      'prompt conflicting-members',
    ])
    const chosen = { model: 'haiku', system_prompt: 'Be brief.', additional_dirs: ['/x'] }
    expect(checkAgentInput({ ...sound, ...chosen, interactive: true })).toEqual([])
    const plain = { ...sound, ...chosen, interactive: true, runtime: 'scripted' as const }
    expect(
      brief(
        checkAgentInput({ ...plain, tool_policy: { mode: 'deny_all' }, max_cost_usd: 1, auto_clear_threshold: 10 }),
      ),
    ).toEqual(
      ['tool_policy', 'system_prompt', 'model', 'additional_dirs', 'max_cost_usd', 'auto_clear_threshold'].map(
        (member) => `${member} conflicting-members`,
      ),
    )
    expect(checkAgentInput({ ...plain, interactive: false })).toEqual([])
  })

  test('accepts only absolute directories', () => {
    expect(checkDirectoryInput({ path: '/x' })).toEqual([])
    expect(brief(checkDirectoryInput({ path: 'x' }))).toEqual(['path invalid-value'])
  })
})

describe('a workflow', () => {
  const sound: WorkflowInput = {
    name: 'w',
    agent_id: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
    trigger_config: { type: 'manual' },
    prompt_template: 'do {{title}} and {{whatever}}',
  }

  test('has no faults if valid, even with unknown variables', () => {
    expect(checkWorkflowInput(sound)).toEqual([])
    expect(checkWorkflowPatch({ enabled: false })).toEqual([])
  })

  test('requires a trigger under one of its names', () => {
    expect(brief(checkWorkflowInput({ ...sound, trigger_config: undefined }))).toEqual([
      'trigger_config missing-member',
    ])
    expect(brief(checkWorkflowInput({ ...sound, source_config: { type: 'manual' } }))).toEqual([
      'source_config conflicting-members',
    ])
    expect(brief(checkWorkflowPatch({ source: {}, trigger_config: {}, source_config: {} }))).toEqual([
      'source conflicting-members',
      'source_config conflicting-members',
    ])
  })

  test('reports all faults at once, the trigger at its alias', () => {
    const faults = checkWorkflowInput({
      ...sound,
      trigger_config: undefined,
      source_config: { type: 'cron', expression: '61 * * * *', timezone: 'Mars/Base' },
      tool_policy: { mode: 'allow_list' },
      prompt_template: 'do {{title',
    })
    expect(brief(faults)).toEqual([
      'source_config.timezone cron-invalid',
      'source_config.expression cron-invalid',
      'tool_policy.mode missing-member',
      'prompt_template template-unclosed',
    ])
    expect(brief(checkWorkflowPatch({ prompt_template: ' ', tool_policy: { mode: 'deny_list' } }))).toEqual([
      'tool_policy.mode missing-member',
      'prompt_template template-empty',
    ])
  })
})

test('requires tools in the list modes of a policy, and valid entries', () => {
  expect(checkPolicyInput({ mode: 'allow_all' })).toEqual([])
  expect(brief(checkPolicyInput({ mode: 'deny_list' }))).toEqual(['mode missing-member'])
  expect(brief(checkPolicyInput({ mode: 'allow_list', tools: ['Read', '(x'] }))).toEqual(['tools.1 invalid-value'])
})
