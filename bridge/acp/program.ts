// The adapter of runtime `acp`: a program that speaks the Agent Client Protocol, seen as one that speaks ours.
import type { Launch } from '../../schemas/agent/launch.ts'
import { contentText, controlResponse, conversationReset, objectAt, parseFrame, textAt, type Frame } from '../frames.ts'
import type { Listeners } from '../join.ts'
import type { LaunchFault } from '../launch-file.ts'
import { Permissions } from '../permissions.ts'
import type { Program } from '../program.ts'
import type { Timers } from '../timers.ts'
import {
  introduce,
  newConversation,
  offersForSessions,
  openConversation,
  type Conversation,
  type Introduction,
  type Opening,
} from './conversation.ts'
import { answerTo, CANCELLED } from './permission.ts'
import { CODES, RpcFault, RpcPeer } from './rpc.ts'
import { toolOf } from './tool-call.ts'
import { Transcript } from './transcript.ts'
import { aborted, failed, outcomeOf, resultFrame, type Outcome } from './turn-result.ts'

interface AcpOptions extends Listeners {
  launch: Launch
  timers: Timers
  start(listeners: Listeners): Program
}

interface Turn {
  startedAt: number
  interrupted: boolean
  denials: Frame[]
}

/** What comes before the program is ready waits: prompts, and the answer to `initialize`. */
export class AcpProgram implements Program {
  /** Rejects with a LaunchFault when the program does not speak the protocol. */
  readonly ended: Promise<number>
  readonly #options: AcpOptions
  readonly #program: Program
  readonly #peer: RpcPeer
  readonly #permissions: Permissions
  readonly #transcript: Transcript
  readonly #prompts: string[] = []
  readonly #ready: Promise<void>
  #introduction: Introduction | null = null
  /** Null until there is a session to talk in. */
  #conversation: Conversation | null = null
  #turn: Turn | null = null
  #fault: LaunchFault | null = null
  #stopped = false
  #over = false

  constructor(options: AcpOptions) {
    this.#options = options
    const emit = (frame: Frame) => this.#emit(frame)
    this.#transcript = new Transcript(emit, (tool) => this.#transcript.system('tool_unasked', { tool_name: tool }))
    this.#permissions = new Permissions(emit, (state) => this.#state(state))
    this.#peer = new RpcPeer({
      timers: options.timers,
      write: (line) => this.#program.write(line),
      onRequest: (method, params, withdrawn) => this.#asked(method, params, withdrawn),
      onNotification: (method, params) => this.#told(method, params),
      onOther: (line) => options.onNotice(line),
    })
    this.#program = options.start({ onNotice: options.onNotice, onLine: (line) => this.#peer.take(line) })
    this.ended = this.#program.ended
      .finally(() => {
        this.#over = true
        this.#peer.close()
      })
      .then((code) => {
        if (this.#fault && !this.#stopped) throw this.#fault
        return code
      })
    this.#ready = this.#begin().catch((fault: LaunchFault) => {
      // A program that ended by itself says so with its exit code.
      if (this.#over) return
      this.#fault = fault
      this.#program.stop()
    })
  }

  write(line: string): void {
    const frame = parseFrame(line)
    if (!frame) return
    if (frame['type'] === 'control_request')
      return this.#control(textAt(frame, 'request_id'), textAt(objectAt(frame, 'request'), 'subtype') ?? '')
    if (frame['type'] === 'control_response') return this.#permissions.answer(objectAt(frame, 'response'))
    if (frame['type'] !== 'user') return
    this.#prompts.push(contentText(objectAt(frame, 'message')))
    void this.#ready.then(() => this.#work())
  }

  hold(isHeld: boolean): void {
    this.#program.hold?.(isHeld)
  }

  stop(): void {
    this.#stopped = true
    this.#program.stop()
  }

  async #begin(): Promise<void> {
    this.#introduction = await introduce(this.#peer)
    this.#talkIn(await openConversation(this.#opening))
  }

  get #opening(): Opening {
    const { launch, onNotice } = this.#options
    return { peer: this.#peer, launch, capabilities: this.#introduction!.capabilities, onNotice }
  }

  #talkIn(conversation: Conversation): void {
    this.#conversation = conversation
    this.#transcript.sessionId = conversation.sessionId
    this.#transcript.begin()
  }

  #control(requestId: string | null, subtype: string): void {
    const send = (response: Frame) => this.#emit(controlResponse(requestId, response))
    const succeed = (response: Frame, members: Frame = {}) => send({ subtype: 'success', response, ...members })
    switch (subtype) {
      case 'initialize':
        return void this.#ready.then(
          () =>
            this.#conversation && succeed(this.#introduced(), { pending_permission_requests: this.#permissions.open }),
        )
      case 'interrupt':
        return this.#interrupt(() => succeed({ still_queued: [] }))
      case 'end_session':
        this.#interrupt(() => succeed({}))
        return this.stop()
      default:
        send({ subtype: 'error', error: `Unsupported control request subtype: ${subtype}` })
    }
  }

  #introduced(): Frame {
    const { version = null, asks = false } = this.#introduction ?? {}
    const state = this.#turn === null ? 'idle' : this.#permissions.open.length > 0 ? 'requires_action' : 'running'
    return { agent_version: version, current_permission_mode: asks ? 'default' : null, session_state: state }
  }

  /** Prompts that were not begun are over too: each has its result. */
  #interrupt(acknowledge: () => void): void {
    const settle = this.#permissions.withdrawAll()
    acknowledge()
    if (this.#turn && !this.#turn.interrupted) {
      this.#turn.interrupted = true
      this.#peer.notify('session/cancel', { sessionId: this.#conversation?.sessionId })
    }
    settle()
    for (const _ of this.#prompts.splice(0)) this.#end(aborted, this.#newTurn())
  }

  async #work(): Promise<void> {
    while (this.#turn === null && this.#conversation && this.#prompts.length > 0) {
      const prompt = this.#prompts.shift()!
      const turn = this.#newTurn()
      this.#turn = turn
      this.#state('running')
      const outcome = await (prompt.trim() === '/clear' ? this.#clear() : this.#ask(prompt))
      this.#permissions.withdrawAll()()
      this.#end(turn.interrupted && outcome.error !== null ? aborted : outcome, turn)
      this.#turn = null
      this.#state('idle')
    }
  }

  #newTurn(): Turn {
    return { startedAt: this.#options.timers.now(), interrupted: false, denials: [] }
  }

  async #ask(prompt: string): Promise<Outcome> {
    const { sessionId } = this.#conversation!
    this.#init()
    try {
      const content = [{ type: 'text', text: prompt }]
      return outcomeOf(await this.#peer.request('session/prompt', { sessionId, prompt: content }))
    } catch (error) {
      return failed((error as Error).message)
    }
  }

  /** The protocol has no word for it: another session has nothing of the former one. */
  async #clear(): Promise<Outcome> {
    const former = this.#conversation!.sessionId
    try {
      this.#talkIn(await newConversation(this.#opening))
    } catch (error) {
      return failed(`failed to clear the context: ${(error as Error).message}`)
    }
    this.#transcript.cost = 0
    this.#emit(conversationReset(former))
    this.#init()
    if (offersForSessions(this.#opening.capabilities, 'close'))
      this.#peer.request('session/close', { sessionId: former }).catch(() => {})
    return { subtype: 'success', error: null }
  }

  #init(): void {
    const { launch } = this.#options
    const { agent_version } = this.#introduced()
    this.#transcript.system('init', { cwd: launch.directory, model: launch.model, agent_version })
  }

  #end(outcome: Outcome, turn: Turn): void {
    const members = {
      duration_ms: this.#options.timers.now() - turn.startedAt,
      session_id: this.#transcript.sessionId,
      total_cost_usd: this.#transcript.cost,
      permission_denials: turn.denials,
    }
    this.#emit(resultFrame(outcome, this.#transcript.end(), members))
  }

  async #asked(method: string, params: Frame, withdrawn: AbortSignal): Promise<Frame> {
    if (method !== 'session/request_permission') throw new RpcFault(`method ${method} is not supported`, CODES.noMethod)
    const call = this.#isOurs(params) ? this.#transcript.asked(objectAt(params, 'toolCall')) : null
    if (!call) throw new RpcFault('unknown sessionId or toolCall.toolCallId', CODES.wrongParams)
    const turn = this.#turn
    if (turn?.interrupted) return CANCELLED
    const tool = toolOf(call)
    const toolUseId = textAt(call, 'toolCallId')!
    const decision = await this.#permissions.ask(tool, toolUseId, withdrawn)
    if (withdrawn.aborted) throw new RpcFault('the request was withdrawn', CODES.cancelled)
    if (decision === null) return CANCELLED
    const answer = answerTo(decision, tool.input, params['options'])
    if (answer.allowed) this.#transcript.allowed(toolUseId)
    else turn?.denials.push({ tool_name: tool.name, tool_use_id: toolUseId, tool_input: tool.input })
    if (answer.fault !== null) this.#options.onNotice(`${tool.name} was allowed but does not run: ${answer.fault}`)
    if (!decision.allow && decision.interrupt) this.#interrupt(() => {})
    return answer.response
  }

  /** What a session that is loaded says is of the past. */
  #told(method: string, params: Frame): void {
    if (method !== 'session/update' || !this.#isOurs(params)) return
    const update = objectAt(params, 'update')
    if (update['sessionUpdate'] === 'current_mode_update') {
      const mode = textAt(update, 'currentModeId')
      const known = mode !== null && mode === this.#conversation!.mode
      return this.#transcript.system('status', { permissionMode: known ? 'default' : (mode ?? 'unknown') })
    }
    this.#transcript.take(update)
  }

  #isOurs(params: Frame): boolean {
    return this.#conversation !== null && params['sessionId'] === this.#conversation.sessionId
  }

  #state(state: string): void {
    this.#transcript.system('session_state_changed', { state })
  }

  #emit(frame: Frame): void {
    this.#options.onLine(JSON.stringify(frame))
  }
}
