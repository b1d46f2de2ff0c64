import { randomUUID } from 'node:crypto'
import { objectAt, textAt, type Frame } from './frames.ts'
import type { ToolCall } from './scripted/plan.ts'

export type Decision = { allow: true; input: Frame } | { allow: false; message: string; interrupt: boolean }

interface Question {
  frame: Frame
  call: ToolCall
  settle(decision: Decision | null): void
}

export class Permissions {
  readonly #open = new Map<string, Question>()
  readonly #emit: (frame: Frame) => void
  readonly #onState: (state: 'running' | 'requires_action') => void

  constructor(emit: (frame: Frame) => void, onState: (state: 'running' | 'requires_action') => void) {
    this.#emit = emit
    this.#onState = onState
  }

  /** Resolves with the decision, or null if withdrawn; `signal` withdraws this request. */
  ask(call: ToolCall, toolUseId: string, signal?: AbortSignal): Promise<Decision | null> {
    return new Promise((settle) => {
      const requestId = randomUUID()
      signal?.addEventListener('abort', () => this.#withdraw(requestId), { once: true })
      const frame = { type: 'control_request', request_id: requestId, request: question(call, toolUseId) }
      if (this.#open.size === 0) this.#onState('requires_action')
      this.#open.set(requestId, { frame, call, settle })
      this.#emit(frame)
    })
  }

  /** Ignores repeated answers and unknown ids. */
  answer(response: Frame): void {
    this.#settle(textAt(response, 'request_id') ?? '', ({ call }) => decisionOf(response, call))
  }

  #withdraw(requestId: string): void {
    if (this.#open.has(requestId)) this.#emit({ type: 'control_cancel_request', request_id: requestId })
    this.#settle(requestId, () => null)
  }

  #settle(requestId: string, decide: (question: Question) => Decision | null): void {
    const question = this.#open.get(requestId)
    if (!question) return
    this.#open.delete(requestId)
    if (this.#open.size === 0) this.#onState('running')
    question.settle(decide(question))
  }

  /** Returns a function that settles the withdrawn requests. */
  withdrawAll(): () => void {
    const withdrawn = [...this.#open.values()]
    for (const requestId of this.#open.keys()) this.#emit({ type: 'control_cancel_request', request_id: requestId })
    this.#open.clear()
    return () => withdrawn.forEach((request) => request.settle(null))
  }

  get open(): Frame[] {
    return [...this.#open.values()].map((request) => request.frame)
  }
}

function question(call: ToolCall, toolUseId: string): Frame {
  const description = textAt(call.input, 'description')
  const request = {
    subtype: 'can_use_tool',
    tool_name: call.name,
    display_name: call.name,
    input: call.input,
    decision_reason_type: 'rule',
    tool_use_id: toolUseId,
  }
  return description ? { ...request, description } : request
}

function decisionOf(response: Frame, call: ToolCall): Decision {
  const refused = (message: string, interrupt = false): Decision => ({ allow: false, message, interrupt })
  if (response['subtype'] !== 'success')
    return refused(`Tool permission request failed: Error: ${textAt(response, 'error') ?? 'no reason given'}`)
  const decision = objectAt(response, 'response')
  if (decision['behavior'] === 'allow') {
    const updated = objectAt(decision, 'updatedInput')
    return { allow: true, input: Object.keys(updated).length > 0 ? updated : call.input }
  }
  const message = decision['behavior'] === 'deny' ? textAt(decision, 'message') : null
  if (message === null)
    return refused('Tool permission request failed: Error: the answer is neither an allow nor a deny with a message')
  return refused(message, decision['interrupt'] === true)
}
