import type { Static, TSchema } from 'typebox'
import { createAjv } from '../../../schemas/validation/ajv.ts'
import { askEndpoint, EndpointFailure, type Endpoint } from './endpoint.ts'

export interface ChatModel extends Endpoint {
  model: string
}

/** Bytes. */
const LARGEST_ANSWER = 256 * 1024
let ajv: ReturnType<typeof createAjv> | null = null

export interface Conversation<S extends TSchema> {
  /** System message. */
  task: string
  /** User message. */
  material: string
  shape: S
  /** Total time in milliseconds, retries included; null for the time-out of each request only. */
  inAllMs: number | null
}

/** Throws an EndpointFailure, also if the answer does not match `shape`. */
export async function converse<S extends TSchema>(
  chat: ChatModel,
  { task, material, shape, inAllMs }: Conversation<S>,
): Promise<Static<S>> {
  const body = {
    model: chat.model,
    messages: [
      { role: 'system', content: task },
      { role: 'user', content: material },
    ],
    temperature: 0,
    stream: false,
  }
  const answer = await askEndpoint(chat, { path: '/chat/completions', body, largest: LARGEST_ANSWER, inAllMs })
  const said = textOf(answer)
  if (said === null) throw new EndpointFailure('returned no choices[0].message.content')
  const value = jsonIn(said)
  ajv ??= createAjv({ thorough: false })
  if (!ajv.validate(shape, value))
    throw new EndpointFailure(`should return ${JSON.stringify(shape)}, instead got: ${said.slice(0, 100)}`)
  return value as Static<S>
}

function textOf(answer: unknown): string | null {
  const { choices } = (answer ?? {}) as { choices?: unknown }
  const first: unknown = Array.isArray(choices) ? choices[0] : null
  const content: unknown = (first as { message?: { content?: unknown } | null } | null)?.message?.content
  return typeof content === 'string' ? content : null
}

/** Extracts the JSON object from a text, without reasoning and surrounding prose; undefined if there is none. */
function jsonIn(text: string): unknown {
  const said = text.slice(text.lastIndexOf('</think>') + 1)
  const [from, to] = [said.indexOf('{'), said.lastIndexOf('}')]
  try {
    return JSON.parse(said.slice(from, to + 1))
  } catch {
    return undefined
  }
}
