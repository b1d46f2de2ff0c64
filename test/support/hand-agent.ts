import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { eventually } from './eventually.ts'

export type Frame = Record<string, any>

/** An agent program that the test controls. */
export class HandAgent {
  readonly received: Frame[] = []
  readonly opened: Promise<unknown>
  closeCode: number | null = null
  cost = 0

  readonly socket: WebSocket
  constructor(socket: WebSocket, state: string | null) {
    this.socket = socket
    this.opened = once(socket, 'open')
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Frame
      this.received.push(frame)
      if (state !== null && frame.request?.subtype === 'initialize') this.answerInitialize(frame.request_id, state)
    })
    socket.on('close', (code) => (this.closeCode = code))
    socket.on('error', () => undefined)
  }

  answerInitialize(requestId: string, state: string | undefined, pending: Frame[] = []): void {
    this.send({
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: requestId,
        response: { session_state: state },
        pending_permission_requests: pending,
      },
    })
  }

  send(...frames: Frame[]): void {
    for (const frame of frames) this.socket.send(`${JSON.stringify(frame)}\n`)
  }

  prompts(): string[] {
    return this.received.filter((frame) => frame.type === 'user').map((frame) => frame.message.content)
  }

  /** Waits for the n-th prompt, counted from 1. */
  prompt(count: number): Promise<string> {
    return eventually(() => this.prompts()[count - 1])
  }

  result(more: Frame = {}): Frame {
    const frame = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      duration_ms: 10,
      duration_api_ms: 5,
      num_turns: 1,
      result: 'done',
      total_cost_usd: this.cost,
      usage: { input_tokens: 100, output_tokens: 20 },
      uuid: randomUUID(),
      ...more,
    }
    this.send(frame)
    return frame
  }

  askTool(tool: string, input: Frame, requestId: string = randomUUID()): string {
    this.send({
      type: 'control_request',
      request_id: requestId,
      request: { subtype: 'can_use_tool', tool_name: tool, input },
    })
    return requestId
  }

  /** The decision on a tool request. */
  answer(requestId: string): Promise<Frame> {
    return eventually(
      () =>
        this.received.find((frame) => frame.type === 'control_response' && frame.response.request_id === requestId)
          ?.response.response as Frame | undefined,
    )
  }

  answers(requestId: string): Frame[] {
    return this.received.filter((frame) => frame.type === 'control_response' && frame.response.request_id === requestId)
  }
}
