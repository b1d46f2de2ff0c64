// Speaks the protocol without a model, for the demo and tests.
import { randomUUID } from 'node:crypto'
import type { Launch } from '../../schemas/agent/launch.ts'
import { contentText, conversationReset, objectAt, parseFrame, textAt, type Frame } from '../frames.ts'
import type { Program } from '../program.ts'
import { answerControl, DEFAULT_MODEL, VERSION } from './control.ts'
import { Permissions } from '../permissions.ts'
import { Session } from './session.ts'
import { TOOL_NAMES, type Workshop } from './tool-runs.ts'
import { runTurn } from './turn.ts'
import type { Timers } from '../timers.ts'

export interface ScriptedOptions {
  launch: Pick<Launch, 'directory' | 'model' | 'resume_session'>
  env: NodeJS.ProcessEnv
  timers: Timers
  onLine(line: string): void
}

export class ScriptedAgent implements Program {
  readonly ended: Promise<number>
  readonly session: Session
  readonly permissions: Permissions
  readonly #shop: Workshop
  readonly #onLine: (line: string) => void
  readonly #prompts: string[] = []
  #exit!: (code: number) => void
  #over = false
  #turn: AbortController | null = null
  #exitAfterTurn: number | null = null

  constructor({ launch, env, timers, onLine }: ScriptedOptions) {
    this.session = new Session(launch.resume_session, launch.model ?? DEFAULT_MODEL)
    this.#shop = { directory: launch.directory, env, timers }
    this.#onLine = onLine
    this.ended = new Promise((resolve) => (this.#exit = resolve))
    this.permissions = new Permissions(
      (frame) => this.emit(frame),
      (state) => this.#state(state),
    )
  }

  write(line: string): void {
    if (this.#over) return
    const frame = parseFrame(line)
    if (!frame) {
      // As the real agent does; not a frame, so it is shown in the terminal.
      this.#onLine(`Error parsing streaming input line: ${line}`)
      return this.#end(1)
    }
    if (frame['type'] === 'control_request')
      return answerControl(this, textAt(frame, 'request_id'), objectAt(frame, 'request'))
    if (frame['type'] === 'control_response') return this.permissions.answer(objectAt(frame, 'response'))
    if (frame['type'] !== 'user') return
    this.#prompts.push(contentText(objectAt(frame, 'message')))
    if (this.#turn === null) void this.#work()
  }

  stop(): void {
    this.#end(0)
  }

  get state(): string {
    if (this.#turn === null) return 'idle'
    return this.permissions.open.length > 0 ? 'requires_action' : 'running'
  }

  emit(frame: Frame): void {
    if (!this.#over) this.#onLine(JSON.stringify(frame))
  }

  system(subtype: string, members: Frame): void {
    this.emit({ type: 'system', subtype, ...members, uuid: randomUUID(), session_id: this.session.id })
  }

  user(content: string | Frame[], members: Frame = {}): void {
    const message = { role: 'user', content }
    this.emit({
      type: 'user',
      message,
      session_id: this.session.id,
      parent_tool_use_id: null,
      uuid: randomUUID(),
      timestamp: this.#timestamp(),
      ...members,
    })
  }

  /** Ends the current turn, whose error result follows. */
  interrupt(acknowledge: () => void): void {
    const settle = this.permissions.withdrawAll()
    acknowledge()
    this.#turn?.abort()
    settle()
  }

  /** Exits with 0 when idle, 1 after interrupting a turn. */
  endSession(acknowledge: () => void): void {
    if (this.#turn !== null) {
      this.#exitAfterTurn = 1
      return this.interrupt(acknowledge)
    }
    acknowledge()
    this.#end(0)
  }

  async #work(): Promise<void> {
    while (this.#prompts.length > 0) {
      this.#turn = new AbortController()
      this.#state('running')
      const code = (await this.#answer(this.#nextPrompt(), this.#turn)) ?? this.#exitAfterTurn
      if (code !== null) return this.#end(code)
      this.#turn = null
      this.#state('idle')
    }
  }

  async #answer(prompt: string, stop: AbortController): Promise<number | null> {
    if (prompt.trim() !== '/clear') {
      this.#init()
      return runTurn(prompt, { agent: this, shop: this.#shop, stop })
    }
    this.#clear()
    return null
  }

  /** Joins prompts that arrived during a turn, as the real agent does, except `/clear`. */
  #nextPrompt(): string {
    const clear = this.#prompts.findIndex((prompt) => prompt.trim() === '/clear')
    const count = clear === 0 ? 1 : clear < 0 ? this.#prompts.length : clear
    return this.#prompts.splice(0, count).join('\n')
  }

  #clear(): void {
    const reset = conversationReset(this.session.clear())
    this.emit({ ...reset, user_message_uuid: randomUUID(), timestamp: this.#timestamp() })
    this.#init()
    const now = this.#shop.timers.now()
    this.emit({
      ...this.session.result(this.session.tally(now), now),
      subtype: 'success',
      is_error: false,
      api_error_status: null,
      num_turns: 0,
      result: '',
      local_command: 'clear',
    })
  }

  #init(): void {
    const { model, mode } = this.session
    this.system('init', {
      cwd: this.#shop.directory,
      tools: TOOL_NAMES,
      mcp_servers: [],
      model,
      permissionMode: mode,
      slash_commands: ['clear'],
      apiKeySource: 'none',
      agent_version: VERSION,
      output_style: 'default',
    })
  }

  #state(state: string): void {
    this.system('session_state_changed', { state })
  }

  #timestamp(): string {
    return new Date(this.#shop.timers.now()).toISOString()
  }

  #end(code: number): void {
    this.#over = true
    this.#turn?.abort()
    this.#exit(code)
  }
}
