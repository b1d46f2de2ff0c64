import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import type { Launch } from '../schemas/agent/launch.ts'
import { asksForTool, controlResponse, objectAt, parseFrame, textAt, type Frame } from './frames.ts'
import { Guard, type Evidence } from './guard.ts'
import { Link, LONGEST_FRAME } from './link.ts'
import type { Pane } from './pane.ts'
import { Questions } from './probe.ts'
import type { Program } from './program.ts'
import { writeHint } from './sandbox/hints.ts'
import { refusalFrame, refusalText, type Refusal } from './sandbox/refusals.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { Timers } from './timers.ts'

export interface Listeners {
  onLine(line: string): void
  onNotice(text: string): void
}

export interface JoinOptions {
  launch: Launch
  timers: Timers
  giveUpMs: number
  pane: Pane
  sandbox: Sandbox | null
  start(listeners: Listeners): Program
  /** Requests and answers of the probe never reach the server. */
  probe(questions: Questions): Promise<Partial<Evidence>>
}

const ENDING_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT']

/**
 * Resolves with the exit code: the program's own, 128 + n after signal n, 0 if the server ended the agent, 75 if the
 * server was unreachable.
 */
export async function joinProgram(options: JoinOptions): Promise<number> {
  const { launch, timers, pane, sandbox } = options
  let verdict: number | null = null
  let program: Program | null = null
  const end = (exitCode: number, reason: string) => {
    if (verdict !== null) return
    verdict = exitCode
    pane.text(`ending: ${reason}`)
    program?.stop()
  }
  // Registered before the program starts, so that no signal ends only the bridge.
  for (const signal of ENDING_SIGNALS) process.on(signal, () => end(128 + constants.signals[signal], signal))
  const hello = (verdict: Frame): Frame => ({ ...verdict, last_prompt: parts.lastPrompt })
  const guard = new Guard(launch.runtime, (verdict) => {
    pane.fromAgent(verdict)
    link.sendIfConnected(hello(verdict))
  })
  const questions = new Questions((line) => program!.write(line), timers)
  program = options.start({ onLine: (line) => passOn(line, parts), onNotice: pane.text })
  const link = new Link({
    url: launch.url,
    token: launch.token,
    timers,
    giveUpMs: options.giveUpMs,
    onNotice: pane.text,
    greeting: () => {
      const verdict = guard.frame()
      return verdict && hello(verdict)
    },
    onText: (text) => toProgram(text, parts),
    onCongestion: (isCongested) => parts.program.hold?.(isCongested),
    onEnd: end,
  })
  const parts: Parts = { guard, questions, link, pane, program, sandbox, lastPrompt: null }
  if (sandbox) sandbox.refusals.onReport = (refusal) => reportRefusal(refusal, parts)
  void options.probe(questions).then((found) => guard.conclude(found))
  const exitCode = await program.ended
  await link.close()
  return verdict ?? exitCode
}

interface Parts {
  guard: Guard
  questions: Questions
  link: Link
  pane: Pane
  program: Program
  sandbox: Sandbox | null
  /** Uuid of the program's last prompt. Sent on connecting, so that the server knows which prompts never arrived. */
  lastPrompt: string | null
}

function passOn(line: string, parts: Parts): void {
  const { guard, questions, link, pane } = parts
  const frame = parseFrame(line)
  if (!frame) return pane.text(line)
  if (questions.settle(frame)) return
  // Only the bridge knows what its proxy refused.
  if (frame['type'] === 'sandbox_refused') return pane.text(line)
  guard.observe(frame)
  pane.fromAgent(frame)
  const hint = parts.sandbox === null ? null : writeHint(frame)
  if (hint !== null) pane.text(hint)
  const bytes = line.length * 3 > LONGEST_FRAME ? Buffer.byteLength(line) : 0
  if (bytes <= LONGEST_FRAME) return link.send(frame, line)
  pane.text(`dropped a frame of ${bytes} bytes: the orchestrator accepts at most ${LONGEST_FRAME}`)
  const reason = `${bytes} bytes, at most ${LONGEST_FRAME}`
  if (frame['type'] === 'result') endTurn(`too large: ${reason}`, parts)
  else deny(frame, `the request is too large for a decision: ${reason}`, parts)
}

function reportRefusal(refusal: Refusal, { link, pane }: Parts): void {
  pane.text(refusalText(refusal))
  const frame = refusalFrame(refusal)
  link.send(frame, JSON.stringify(frame))
}

function takeRefusal(refusal: Frame, parts: Parts): void {
  const reason = textAt(refusal, 'message') ?? 'the orchestrator gave no reason'
  const number = refusal['frame']
  parts.pane.text(`the orchestrator refused a frame: ${reason}`)
  const line = typeof number === 'number' ? parts.link.outbox.refused(number) : null
  const frame = line === null ? null : parseFrame(line)
  if (!frame) return
  deny(frame, `the request cannot be decided: ${reason}`, parts)
  // A server that could read the result has ended the turn.
  if (frame['type'] === 'result' && textAt(refusal, 'of') === null) endTurn(reason, parts)
}

function deny(frame: Frame, message: string, { program }: Parts): void {
  if (!asksForTool(frame)) return
  const denial = { subtype: 'success', response: { behavior: 'deny', message } }
  program.write(JSON.stringify(controlResponse(textAt(frame, 'request_id'), denial)))
}

/** Without a result the agent would look busy forever. */
function endTurn(reason: string, { link }: Parts): void {
  const errors = [`the result of the agent was refused: ${reason}`]
  const ended = { type: 'result', subtype: 'error_during_execution', is_error: true, errors, uuid: randomUUID() }
  link.send(ended, JSON.stringify(ended))
}

/** Drops lines that are not JSON objects, because they make the CLI exit. */
function toProgram(text: string, parts: Parts): void {
  const { program, link, pane } = parts
  for (const line of text.split('\n').filter((part) => part.trim() !== '')) {
    const frame = parseFrame(line)
    if (!frame) {
      pane.text('dropped a line from the server: not a JSON object')
      continue
    }
    if (frame['type'] === 'frame_refused') {
      takeRefusal(frame, parts)
      continue
    }
    const requestId = frame['type'] === 'control_response' ? textAt(objectAt(frame, 'response'), 'request_id') : null
    if (requestId) link.outbox.answered(requestId)
    if (frame['type'] === 'user') {
      link.outbox.acknowledge()
      parts.lastPrompt = textAt(frame, 'uuid')
    }
    pane.toAgent(frame)
    program.write(line)
  }
}
