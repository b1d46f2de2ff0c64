import { inPieces } from '../../../platform/async/time-slices.ts'
import { jsonExcess } from '../../../platform/json/json-bounds.ts'
import { isEncoded, unpacked } from '../../../platform/json/content-encoding.ts'
import { replacedText } from '../../../platform/json/replaced-text.ts'
import { parsedJson } from '../../../platform/json/sliced-parse.ts'
import { receiveWebhook } from '../../../schemas/operations/orchestrator/webhooks.ts'
import { LONGEST_NAME, type WebhookFacts } from '../../../schemas/workflow/firing.ts'
import { storable } from '../../../platform/store/columns.ts'
import type { Delivery, RefusedDelivery } from '../../../platform/forge/webhook-signature.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'

const EVENT_HEADERS = ['x-forge-event', 'x-github-event', 'x-gitea-event', 'x-forgejo-event']
const DELIVERY_HEADERS = ['x-forge-delivery', 'x-github-delivery', 'x-gitea-delivery', 'x-forgejo-delivery']

/** Limits of JSON; forges send a few thousand shallow values. */
const BOUNDS = { depth: 64, values: 500_000 }

type Members = Record<string, unknown>

/** A delivery that has been unpacked, redacted and parsed. */
export interface ReadDelivery {
  event: string | undefined
  /** Null if the delivery has none. */
  deliveryId: string | null
  /** The payload, or the body of a delivery without an event. */
  text: string
  /** Parsed text; null if it is not JSON, or beyond the limits. */
  payload: unknown
  /** Characters of the body that became U+FFFD. */
  replaced: number
  byAgent: boolean
}

export async function readDelivery(delivery: Delivery): Promise<ReadDelivery> {
  const deliveryId = (await headerOf(delivery, DELIVERY_HEADERS)) ?? null
  const event = await headerOf(delivery, EVENT_HEADERS)
  const { text: body, replaced } = await textOfBody(delivery)
  const text = event === undefined ? body : payloadText(delivery, body)
  return { event, deliveryId, text, payload: await parse(text), replaced, byAgent: delivery.byAgent ?? false }
}

/** What is recorded of a delivery; `status`: of the answer. Redacted. */
export async function factsOf(delivery: RefusedDelivery, status: number): Promise<WebhookFacts> {
  const [id = null, event = null] = [
    await headerOf(delivery, DELIVERY_HEADERS),
    await headerOf(delivery, EVENT_HEADERS),
  ]
  const bytes = delivery.body?.length ?? null
  return { id: id && beginning(id), event: event && beginning(event), bytes, status }
}

const beginning = (text: string): string => storable(text.slice(0, LONGEST_NAME))

/** `at`: RFC 3339. `id`: used if the delivery has none. */
export function taskOfDelivery(delivery: ReadDelivery, at: string, id: string): TriggeredTask {
  const { event, text, payload, replaced, byAgent } = delivery
  const delivery_id = delivery.deliveryId ?? id
  const { metadata = {}, ...task } = event === undefined ? plainTask(delivery) : forgeTask(delivery, event)
  return {
    ...task,
    replaced,
    sourceId: `webhook:${delivery_id}:${at}`,
    ...(typeof payload === 'object' && payload !== null ? { payload: task.body === text || text } : {}),
    ...(byAgent ? { byAgent: true } : {}),
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

function forgeTask({ text, ...delivery }: ReadDelivery, event: string): TaskContent {
  const payload = membersOf(delivery.payload)
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

function plainTask({ text, payload }: ReadDelivery): TaskContent {
  const { title, subject, name } = membersOf(payload)
  return { title: [title, subject, name].map(textOf).find(Boolean) ?? 'Webhook payload', body: text }
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

async function headerOf({ headers, redact }: RefusedDelivery, names: readonly string[]): Promise<string | undefined> {
  const text = names.map((name) => [headers[name]].flat()[0]).find(Boolean)
  return text === undefined || redact === undefined ? text : redact(text)
}
