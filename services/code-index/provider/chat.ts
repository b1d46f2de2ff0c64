// A question to a model that talks, whose answer is JSON of a known shape, or none.
import type { Static, TSchema } from 'typebox'
import { createAjv } from '../../../schemas/validation/ajv.ts'
import { askEndpoint, EndpointFailure, type Endpoint } from './endpoint.ts'

export interface ChatModel extends Endpoint {
  model: string
}

/** Bytes of an answer that are read: some texts, with what a model thinks aloud. */
const LARGEST_ANSWER = 256 * 1024
/** Made when somebody first asks. */
let ajv: ReturnType<typeof createAjv> | null = null

export interface Conversation<S extends TSchema> {
  /** What is to be done. */
  task: string
  /** What it is to be done with. */
  material: string
  shape: S
  /** How long all of it may take, retries included; null: as long as each request by itself. */
  inAllMs: number | null
}

/** Throws an EndpointFailure, also for an answer that is not of the shape. */
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
  if (said === null) throw new EndpointFailure('should answer with choices[0].message.content, and has none')
  const value = jsonIn(said)
  ajv ??= createAjv({ thorough: false })
  if (!ajv.validate(shape, value))
    throw new EndpointFailure(`should answer with ${JSON.stringify(shape)}, and said: ${said.slice(0, 100)}`)
  return value as Static<S>
}

function textOf(answer: unknown): string | null {
  const { choices } = (answer ?? {}) as { choices?: unknown }
  const first: unknown = Array.isArray(choices) ? choices[0] : null
  const content: unknown = (first as { message?: { content?: unknown } | null } | null)?.message?.content
  return typeof content === 'string' ? content : null
}

/** The object in a text, whatever was thought before it and put around it; undefined for none. */
function jsonIn(text: string): unknown {
  const said = text.slice(text.lastIndexOf('</think>') + 1)
  const [from, to] = [said.indexOf('{'), said.lastIndexOf('}')]
  try {
    return JSON.parse(said.slice(from, to + 1))
  } catch {
    return undefined
  }
}
