// Usage is computed from text lengths.
import { randomUUID } from 'node:crypto'
import type { Frame } from '../frames.ts'

/** US dollars per token. */
const PRICE = {
  input_tokens: 3e-6,
  cache_creation_input_tokens: 3.75e-6,
  cache_read_input_tokens: 0.3e-6,
  output_tokens: 15e-6,
}

type Usage = typeof PRICE
const MEMBERS = Object.keys(PRICE) as (keyof Usage)[]

const nothing = () => Object.fromEntries(MEMBERS.map((member) => [member, 0])) as Usage

export interface Tally {
  usage: Usage
  /** One plus the messages returned to the model, as in the real agent. */
  turns: number
  startedAt: number
  denials: Frame[]
  stopReason: string | null
}

export class Session {
  model: string
  mode = 'default'
  #id: string
  #messages = 0
  #characters = 0
  /** Characters already sent to the model. */
  #seen = 0
  #cost = 0
  #apiMs = 0
  #results = 0
  #models: Record<string, Usage & { cost: number }> = {}

  constructor(id: string | null, model: string) {
    this.#id = id ?? randomUUID()
    this.model = model
  }

  get id(): string {
    return this.#id
  }

  get messages(): number {
    return this.#messages
  }

  add(text: string): void {
    this.#messages++
    this.#characters += text.length
  }

  /** Returns the usage at the start of the reply. */
  reply(tally: Tally, text: string, tools: number): Usage {
    const usage = usageOf(this.#characters - this.#seen, this.#seen, text, tools)
    this.#seen = this.#characters
    let cost = 0
    const ofModel = (this.#models[this.model] ??= { ...nothing(), cost: 0 })
    for (const member of MEMBERS) {
      tally.usage[member] += usage[member]
      ofModel[member] += usage[member]
      cost += usage[member] * PRICE[member]
    }
    this.#cost = rounded(this.#cost + cost)
    ofModel.cost = rounded(ofModel.cost + cost)
    // One millisecond per token.
    this.#apiMs += usage.output_tokens
    tally.stopReason = tools > 0 ? 'tool_use' : 'end_turn'
    return { ...usage, output_tokens: 1 }
  }

  /** Starts a conversation with zero cost; returns the old id. */
  clear(): string {
    const old = this.#id
    this.#id = randomUUID()
    this.#messages = this.#characters = this.#seen = this.#cost = this.#apiMs = 0
    this.#models = {}
    return old
  }

  tally(startedAt: number): Tally {
    return { usage: nothing(), turns: 1, startedAt, denials: [], stopReason: null }
  }

  result(tally: Tally, now: number): Frame {
    return {
      type: 'result',
      duration_ms: now - tally.startedAt,
      duration_api_ms: this.#apiMs,
      num_turns: tally.turns,
      stop_reason: tally.stopReason,
      session_id: this.#id,
      total_cost_usd: this.#cost,
      usage: {
        ...tally.usage,
        server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
        service_tier: 'standard',
      },
      modelUsage: Object.fromEntries(Object.entries(this.#models).map(([name, usage]) => [name, modelUsage(usage)])),
      permission_denials: tally.denials,
      queued_turn_count: 0,
      result_index: this.#results++,
      uuid: randomUUID(),
    }
  }
}

/** Four characters per token, twenty tokens per tool call. */
function usageOf(fresh: number, seen: number, reply: string, tools: number): Usage {
  return {
    input_tokens: Math.max(1, Math.ceil(fresh / 4)),
    cache_creation_input_tokens: Math.ceil(fresh / 8),
    cache_read_input_tokens: Math.ceil(seen / 4),
    output_tokens: Math.max(1, Math.ceil(reply.length / 4)) + 20 * tools,
  }
}

/** Rounds to 1e-8 dollars, so that equal sums print equally. */
function rounded(cost: number): number {
  return Math.round(cost * 1e8) / 1e8
}

function modelUsage(usage: Usage & { cost: number }): Frame {
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheReadInputTokens: usage.cache_read_input_tokens,
    cacheCreationInputTokens: usage.cache_creation_input_tokens,
    webSearchRequests: 0,
    costUSD: usage.cost,
  }
}
