// Signed deliveries of the fake GitHub.
import { createHmac } from 'node:crypto'
import examples from '@octokit/webhooks-examples' with { type: 'json' }
import type { GitHub } from './github.ts'
import type { PullRequestRecord } from './records.ts'

export interface WebhookTarget {
  url: string
  secret: string
}

interface Labeled {
  action: string
  label: { name: string }
  pull_request: Record<string, unknown> & { head: object; base: object }
  repository: object
}

/** A recorded delivery of a label; its facts are replaced. */
const LABELED = (examples as unknown as { name: string; examples: Labeled[] }[])
  .filter(({ name }) => name === 'pull_request')
  .flatMap((event) => event.examples)
  .find(({ action }) => action === 'labeled')!

export class Webhooks {
  target: WebhookTarget | null = null
  /** Status of each delivery, or its error. */
  readonly deliveries: Promise<number>[] = []

  labeled(github: GitHub, pull: PullRequestRecord, label: string): void {
    if (this.target === null) return
    const [owner, name] = github.repository.split('/')
    const address = `https://forge.example/${github.repository}/pull/${pull.number}`
    const payload = {
      ...LABELED,
      number: pull.number,
      label: { ...LABELED.label, name: label },
      pull_request: {
        ...LABELED.pull_request,
        number: pull.number,
        title: pull.title,
        body: pull.body,
        draft: pull.isDraft,
        state: 'open',
        html_url: address,
        labels: pull.labels.map((each) => ({ ...LABELED.label, name: each })),
        head: { ...LABELED.pull_request.head, ref: pull.branch, sha: pull.head },
        base: { ...LABELED.pull_request.base, ref: pull.base, sha: pull.baseHead },
      },
      repository: { ...LABELED.repository, full_name: github.repository, name, owner: { login: owner } },
    }
    this.deliveries.push(send(this.target, payload, `delivery-${this.deliveries.length + 1}`))
  }
}

async function send({ url, secret }: WebhookTarget, payload: object, id: string): Promise<number> {
  const body = JSON.stringify(payload)
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/fake',
      'x-github-event': 'pull_request',
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  })
  await response.arrayBuffer()
  return response.status
}
