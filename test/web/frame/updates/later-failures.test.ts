import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RequestProblem } from '../../../../web/client/problem.ts'
import { LaterFailures, LaterNotices, LaterProvider } from '../../../../web/frame/updates/later-failures.tsx'

const html = (failures: LaterFailures) =>
  renderToString(createElement(LaterProvider, { value: failures }, createElement(LaterNotices)))

test('shows a failure after its dialog has closed, until a person closes it', () => {
  const failures = new LaterFailures()
  const error = new RequestProblem(0, 'unreachable', 'the daemon did not answer POST /controller/apply')
  failures.add({ title: 'Apply to default', error })
  for (const part of ['Apply to default', 'the daemon did not answer', 'unreachable', 'Close'])
    expect(html(failures)).toContain(part)
  failures.dismiss(failures.list()[0]!)
  expect(html(failures)).toBe('')
})
