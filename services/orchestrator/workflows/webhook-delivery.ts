import { inPieces } from '../../../platform/async/time-slices.ts'
import { jsonExcess } from '../../../platform/json/json-bounds.ts'
import { isEncoded, unpacked } from '../../../platform/json/content-encoding.ts'
import { replacedText } from '../../../platform/json/replaced-text.ts'
import { parsedJson } from '../../../platform/json/sliced-parse.ts'
import { receiveWebhook } from '../../../schemas/operations/orchestrator/webhooks.ts'
import type { Delivery } from '../face.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'

const EVENT_HEADERS = ['x-forge-event', 'x-github-event', 'x-gitea-event', 'x-forgejo-event']
const DELIVERY_HEADERS = ['x-forge-delivery', 'x-github-delivery', 'x-gitea-delivery', 'x-forgejo-delivery']

/** Limits of JSON; forges send a few thousand shallow values. */
const BOUNDS = { depth: 64, values: 500_000 }

type Members = Record<string, unknown>

/** `at`: RFC 3339. `id`: used if the delivery has none. */
export async function taskOfDelivery(delivery: Delivery, at: string, id: string): Promise<TriggeredTask> {
  const delivery_id = (await headerOf(delivery, DELIVERY_HEADERS)) ?? id
  const event = await headerOf(delivery, EVENT_HEADERS)
  const { text, replaced } = await textOfBody(delivery)
  const content = event === undefined ? plainTask(text) : forgeTask(payloadText(delivery, text), event)
  const { metadata = {}, ...task } = await content
  return {
    ...task,
    replaced,
    sourceId: `webhook:${delivery_id}:${at}`,
    ...(delivery.byAgent ? { byAgent: true } : {}),
    metadata: { delivery_id, timestamp: at, ...(event === undefined ? {} : { forge_event: event }), ...metadata },
  }
}

/** Without a byte order mark. A compressed body was not redacted yet. */
async function textOfBody({ body, headers, redact }: Delivery): Promise<{ text: string; replaced: number }> {
  const encoding = headers['content-encoding']
  const bytes = await unpacked(body, encoding, receiveWebhook.bodyLimit)
  const { value, replaced } = await inPieces(replacedText(bytes))
  const text = value.startsWith('\uFEFF') ? value.slice(1) : value
  return { text: redact && isEncoded(encoding) ? await redact(text) : text, replaced }
}

type TaskContent = Omit<TriggeredTask, 'sourceId'>

/** Payload field of the subject, and template variable of its number. */
const SUBJECTS: Record<string, { member: string; number: string }> = {
  issues: { member: 'issue', number: 'issue_number' },
  pull_request: { member: 'pull_request', number: 'pr_number' },
}

async function forgeTask(text: string, event: string): Promise<TaskContent> {
  const payload = membersOf(await parse(text))
  const kind = Object.hasOwn(SUBJECTS, event) ? SUBJECTS[event] : undefined
  const subject = kind && membersOf(payload[kind.member])
  if (!kind || !subject || Object.keys(subject).length === 0) return { title: `Forge event: ${event}`, body: text }
  const labels = Array.isArray(subject.labels) ? subject.labels : []
  return {
    title: textOf(subject.title),
    body: textOf(subject.body),
    url: textOf(subject.html_url),
    labels: labels.map((label) => textOf(membersOf(label).name)).filter(Boolean),
    assignee: textOf(membersOf(subject.assignee).login),
    metadata: { action: textOf(payload.action), [kind.number]: textOf(subject.number) },
  }
}

async function plainTask(body: string): Promise<TaskContent> {
  const { title, subject, name } = membersOf(await parse(body))
  return { title: [title, subject, name].map(textOf).find(Boolean) ?? 'Webhook payload', body }
}

/** A forge may send JSON in the form field `payload`. */
function payloadText({ headers }: Delivery, text: string): string {
  if (!String(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')) return text
  return new URLSearchParams(text).get('payload') ?? text
}

/** Returns null if not JSON or beyond the limits. */
async function parse(text: string): Promise<unknown> {
  try {
    if (await inPieces(jsonExcess(text, BOUNDS))) return null
    return await inPieces(parsedJson(text))
  } catch {
    return null
  }
}

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

async function headerOf({ headers, redact }: Delivery, names: readonly string[]): Promise<string | undefined> {
  const text = names.map((name) => [headers[name]].flat()[0]).find(Boolean)
  return text === undefined || redact === undefined ? text : redact(text)
}
