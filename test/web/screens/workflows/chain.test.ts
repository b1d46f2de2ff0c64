import { expect, test } from 'vitest'
import { chainOf } from '../../../../web/screens/workflows/chain.ts'

const start = (id: string) => ({ id, name: id, trigger_config: { type: 'manual' } })
const after = (id: string, source_workflow_id: string | null, status?: string) => ({
  id,
  name: id,
  trigger_config: { type: 'dispatch_result', source_workflow_id, ...(status === undefined ? {} : { status }) },
})
type Workflow = ReturnType<typeof start>
const shown = (workflows: readonly Workflow[], id: string) =>
  chainOf(
    workflows,
    workflows.find((workflow) => workflow.id === id)!,
  ).map(({ workflow, depth, condition }) => `${'  '.repeat(depth)}${workflow.id} ${condition}`.trimEnd())

const chain = [
  start('deps'),
  after('review', 'deps', 'completed'),
  after('triage', 'deps', 'failed'),
  after('publish', 'review'),
  start('other'),
]

test('lists the workflows before and after one, in order', () => {
  const whole = ['deps', '  review if completed', '    publish after each end', '  triage if failed']
  for (const id of ['deps', 'review', 'publish', 'triage']) expect(shown(chain, id)).toEqual(whole)
})

test('is empty for a workflow without links', () => {
  expect(shown(chain, 'other')).toEqual([])
})

test('lists each workflow of a ring once', () => {
  const ring = [after('a', 'c'), after('b', 'a'), after('c', 'b'), after('self', 'self')]
  expect(shown(ring, 'a').map((line) => line.trim().split(' ')[0])).toEqual(['b', 'c', 'a'])
  expect(shown(ring, 'self')).toEqual([])
})

test('starts at a workflow whose source is missing', () => {
  expect(shown([after('b', 'gone', 'failed'), after('c', 'b')], 'c')).toEqual(['b if failed', '  c after each end'])
})

test('lists a workflow that follows any other one as a further start', () => {
  const workflows = [start('a'), after('log', null, 'failed'), after('mail', 'log')]
  expect(shown(workflows, 'a')).toEqual(['a', 'log after any workflow, if failed', '  mail after each end'])
})

test('lists a chain of 20,000 workflows', () => {
  const long = Array.from({ length: 20_000 }, (_, n) => (n === 0 ? start('0') : after(`${n}`, `${n - 1}`)))
  expect(chainOf(long, long[10_000]!)).toHaveLength(20_000)
})
