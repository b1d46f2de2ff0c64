import type { Masker } from '../platform/secrets/masking/masker.ts'
import { contentBlocks, contentText, objectAt, textAt, type Frame } from './frames.ts'
import type { Timers } from './timers.ts'

const WIDTH = 160

export type Pane = ReturnType<typeof createPane>

/** Prints to standard output. Redacts before truncating, so that no part of a secret remains. */
export function createPane(timers: Timers, secrets: Masker) {
  const print = (sign: string, text: string) => {
    const time = new Date(timers.now()).toISOString().slice(11, 19)
    process.stdout.write(`${time} ${sign} ${printable(secrets.mask(text))}\n`)
  }
  return {
    fromAgent: (frame: Frame) => summaryFromAgent(frame).forEach((text) => print('<', text)),
    toAgent: (frame: Frame) => summaryToAgent(frame).forEach((text) => print('>', text)),
    text: (text: string) => print('|', text),
  }
}

/** Removes control characters, so that agents cannot control the terminal. */
export function printable(text: string): string {
  // Skips text beyond the shown part, which may have millions of characters.
  const line = text
    .slice(0, 8 * WIDTH)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line
}

function summaryFromAgent(frame: Frame): string[] {
  switch (frame['type']) {
    case 'system':
      return systemSummary(frame)
    case 'assistant':
      return contentBlocks(objectAt(frame, 'message')).map((block) =>
        block['type'] === 'tool_use'
          ? `calls ${textAt(block, 'name')} ${JSON.stringify(block['input'] ?? {})}`
          : `says ${textAt(block, 'text') ?? textAt(block, 'type')}`,
      )
    case 'user':
      return contentBlocks(objectAt(frame, 'message')).map((block) =>
        block['type'] === 'tool_result'
          ? `tool ${block['is_error'] ? 'failed' : 'result'}: ${contentText(block, ' ')}`
          : `note ${textAt(block, 'text') ?? ''}`,
      )
    case 'control_request': {
      const request = objectAt(frame, 'request')
      return [`asks to use ${textAt(request, 'tool_name')} ${JSON.stringify(request['input'] ?? {})}`]
    }
    case 'control_cancel_request':
      return ['withdraws its request']
    case 'result':
      return [
        `result ${textAt(frame, 'subtype')}${frame['is_error'] ? ' (error)' : ''}, ${Number(frame['num_turns'] ?? 0)} turns, ${Number(frame['total_cost_usd'] ?? 0).toFixed(4)} USD so far`,
      ]
    default:
      return []
  }
}

function systemSummary(frame: Frame): string[] {
  if (frame['subtype'] === 'init') return [`session ${textAt(frame, 'session_id')}, model ${textAt(frame, 'model')}`]
  if (frame['subtype'] !== 'bridge') return []
  const guard = frame['guarded'] ? 'asks before every tool' : `not guarded: ${textAt(frame, 'guard_reason')}`
  return [`${textAt(frame, 'runtime')} ${textAt(frame, 'agent_version') ?? '(version unknown)'}, ${guard}`]
}

function summaryToAgent(frame: Frame): string[] {
  if (frame['type'] === 'user')
    return contentBlocks(objectAt(frame, 'message')).map(
      (block) => `prompt ${textAt(block, 'text') ?? textAt(block, 'type')}`,
    )
  if (frame['type'] === 'control_request') return [`${textAt(objectAt(frame, 'request'), 'subtype')}`]
  if (frame['type'] !== 'control_response') return []
  const decision = objectAt(objectAt(frame, 'response'), 'response')
  return [
    `${textAt(decision, 'behavior') ?? 'answer'}${textAt(decision, 'message') ? `: ${textAt(decision, 'message')}` : ''}`,
  ]
}
