import { describe, expect, test } from 'vitest'
import { inputOf, label, pullRequest, TIME } from '../snapshots.ts'
import { drive, linesOf, replyTo } from './driver.ts'

describe('the dependents of a merge', () => {
  const stack = (above: Parameters<typeof pullRequest>[0][] = [{}]) =>
    inputOf({
      pullRequests: [
        pullRequest({ number: 1 }),
        ...above.map((each, index) =>
          pullRequest({ number: index + 2, base: 'change-1', labels: [], verdicts: [], ...each }),
        ),
      ],
    })

  test('conflict after the deletion of the branch, without an announcement', () => {
    const run = drive(stack(), replyTo('6 restack #2 main', { outcome: 'failed', code: 'conflict' }))
    expect(linesOf(run)).toEqual([
      '6 merge #1',
      '6 restack #2 main',
      '6 post #2 rebase-conflict',
      '6 add-label #2 needs-restack',
      '6 retarget #2 main',
      '6 delete-branch #1 change-1',
    ])
    expect(run.stopped).toMatchObject({ step: 6, number: 2 })
    expect(run.intents.at(-1)).toBe('close #1')
  })

  test('keep the branch if they could not move', () => {
    const run = drive(stack(), replyTo('6 restack #2 main', { outcome: 'failed', code: 'moved' }))
    expect(linesOf(run)).toEqual(['6 merge #1', '6 restack #2 main', '6 post #1 merged'])
  })

  test('all move before the branch is deleted', () => {
    const lines = linesOf(drive(stack([{}, { isFork: true }, { labels: [label('needs-restack', TIME)] }])))
    expect(lines.slice(1, -1)).toEqual([
      '6 restack #2 main',
      '6 retarget #2 main',
      '6 retarget #3 main',
      '6 retarget #4 main',
      '6 delete-branch #1 change-1',
    ])
  })
})
