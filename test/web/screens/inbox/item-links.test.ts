import { expect, test } from 'vitest'
import type { InboxItem } from '../../../../schemas/gateway/inbox.ts'
import { actionsOf, completeTexts, resourceOf, screenPath, sourceOf } from '../../../../web/screens/inbox/item-links.ts'

const link = (operation: string) => ({ operation, method: 'POST', path: `/api/${operation}`, body: null })
const item = (kind: InboxItem['kind'], id: string) => ({ kind, id: `${kind}/${id}` })

test('offers the operations that decide, and none that only show', () => {
  const links = ['controller.syncSource', 'controller.plan', 'controller.suspendSource'].map(link)
  const actions = actionsOf({ links }).map(({ label, guard, needsPlan = false }) => [label, guard, needsPlan])
  expect(actions).toEqual([
    ['Sync…', 'source', true],
    ['Suspend the source', 'source', false],
  ])
})

test('leads to the resource of drift and of a contest', () => {
  expect(screenPath(item('drift', 'agents/greeter'))).toBe('/state/agents/greeter')
  expect(screenPath(item('contest', 'agents/a b'))).toBe('/state/agents/a%20b')
  expect(resourceOf(item('drift', 'agents/greeter'))).toEqual({ kind: 'agents', name: 'greeter' })
  expect(resourceOf(item('deletions', 'default/h1'))).toBeNull()
})

test('leads to the plan of a source that holds changes back', () => {
  expect(screenPath(item('deletions', 'default/h1'))).toBe('/plan/default')
  expect(screenPath(item('sync', 'default/4f2c1a9'))).toBe('/plan/default')
  expect(screenPath(item('orphan', 'old'))).toBeNull()
})

test('names the source of held changes', () => {
  expect(sourceOf(item('deletions', 'default/h1'))).toBe('default')
  expect(sourceOf(item('orphan', 'old'))).toBe('old')
  expect(sourceOf(item('drift', 'agents/greeter'))).toBeNull()
})

test('reads the complete texts of a question and of a notification', () => {
  expect(completeTexts({ question: 'Start one now?', answer: null })).toEqual(['Start one now?'])
  expect(completeTexts({ title: 'Disk', message: '' })).toEqual(['Disk'])
  expect([completeTexts(null), completeTexts({ title: 3 })]).toEqual([[], []])
})
