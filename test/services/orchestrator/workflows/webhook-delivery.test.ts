import examples from '@octokit/webhooks-examples' with { type: 'json' }
import { expect, test } from 'vitest'
import { readDelivery, taskOfDelivery } from '../../../../services/orchestrator/workflows/webhook-delivery.ts'

interface Subject {
  number: number
  title: string
  body: string | null
  html_url: string
  labels?: { name: string }[]
  assignee: { login: string } | null
}
interface Payload {
  action?: string
  issue?: Subject
  pull_request?: Subject
}

const recorded = (examples as unknown as { name: string; examples: Payload[] }[]).flatMap(({ name, examples: sent }) =>
  sent.map((payload) => ({ name, payload })),
)
const AT = '2030-01-01T00:00:00.000Z'
const received = async (name: string, payload: Payload) => {
  const body = Buffer.from(JSON.stringify(payload))
  const headers = { 'x-github-event': name, 'x-github-delivery': 'd-1' }
  const read = await readDelivery({ headers, body })
  const { replaced, payload: kept, ...task } = taskOfDelivery(read, AT, 'unused')
  expect(replaced).toBe(0)
  expect(JSON.parse(kept === true ? task.body! : kept!)).toEqual(payload)
  return task
}
const common = ({ title, body, html_url, labels = [], assignee }: Subject) => ({
  title,
  body: body ?? '',
  url: html_url,
  labels: labels.map(({ name }) => name),
  assignee: assignee?.login ?? '',
})
const about = { delivery_id: 'd-1', timestamp: AT }

test('makes tasks from issues and pull requests', async () => {
  const issues = recorded.filter(({ name }) => name === 'issues')
  const pulls = recorded.filter(({ name }) => name === 'pull_request')
  expect([issues.length > 10, pulls.length > 10]).toEqual([true, true])
  for (const { name, payload } of issues)
    expect(await received(name, payload)).toEqual({
      ...common(payload.issue!),
      sourceId: `webhook:d-1:${AT}`,
      metadata: { ...about, forge_event: name, action: payload.action, issue_number: String(payload.issue!.number) },
    })
  for (const { name, payload } of pulls)
    expect(await received(name, payload)).toEqual({
      ...common(payload.pull_request!),
      sourceId: `webhook:d-1:${AT}`,
      metadata: {
        ...about,
        forge_event: name,
        action: payload.action,
        pr_number: String(payload.pull_request!.number),
      },
    })
})

test('uses the name of other events as title and keeps the payload', async () => {
  const others = recorded.filter(({ name }) => !['issues', 'pull_request'].includes(name))
  expect(new Set(others.map(({ name }) => name)).size).toBeGreaterThan(40)
  for (const { name, payload } of others) {
    const { title, body, metadata } = await received(name, payload)
    expect({ title, payload: JSON.parse(body!), metadata }).toEqual({
      title: `Forge event: ${name}`,
      payload,
      metadata: { ...about, forge_event: name },
    })
  }
})
