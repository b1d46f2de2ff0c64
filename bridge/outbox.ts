// What the server may not have got: frames kept for the next connection, and requests that wait for an answer.
import { asksForTool, textAt, type Frame } from './frames.ts'

/** Bounds of what is kept: an agent that works on while the server is away must not fill the memory. */
export const MOST_FRAMES = 2000
export const MOST_BYTES = 32 * 1024 * 1024

interface Kept {
  line: string
  /** The server knows a repeated frame by its uuid, so it may be sent again. */
  repeatable: boolean
  isResult: boolean
  sent: boolean
}

export interface Outbox {
  /** Takes a frame that was sent just now, or could not be sent. */
  keep(frame: Frame, line: string, sent: boolean): void
  /** The server answered this tool request: it is not repeated any more. */
  answered(requestId: string): void
  /** The server sent a prompt, so it has seen the last result and all before it. */
  acknowledge(): void
  /** Everything to send on a new connection, in order; counts as sent from here on. */
  replay(): string[]
  /** Frames that were never sent. */
  readonly unsent: number
  /** Frames that had to be let go. */
  readonly lost: number
}

export function createOutbox(limits = { frames: MOST_FRAMES, bytes: MOST_BYTES }): Outbox {
  let kept: Kept[] = []
  let bytes = 0
  let lost = 0
  const open = new Map<string, { line: string; sent: boolean }>()
  const drop = (index: number) => {
    const [entry] = kept.splice(index, 1)
    bytes -= entry!.line.length
    if (!entry!.sent) lost++
  }
  /** Frames that went out make room first; results go last, because an agent without its result looks busy for ever. */
  const makeRoom = () => {
    while (kept.length > limits.frames || bytes > limits.bytes) {
      const sent = kept.findIndex((entry) => entry.sent && !entry.isResult)
      const any = sent >= 0 ? sent : kept.findIndex((entry) => !entry.isResult)
      drop(Math.max(any, 0))
    }
  }
  return {
    keep(frame, line, sent) {
      const requestId = textAt(frame, 'request_id')
      if (requestId && asksForTool(frame)) return void open.set(requestId, { line, sent })
      const withdrawn = requestId && frame['type'] === 'control_cancel_request'
      if (withdrawn) open.delete(requestId)
      const repeatable = Boolean(withdrawn) || textAt(frame, 'uuid') !== null
      if (sent && !repeatable) return
      kept.push({ line, repeatable, isResult: frame['type'] === 'result', sent })
      bytes += line.length
      makeRoom()
    },
    answered: (requestId) => void open.delete(requestId),
    acknowledge() {
      const last = kept.findLastIndex((entry) => entry.sent && entry.isResult)
      kept = kept.filter((entry, index) => index > last || !entry.sent)
      bytes = kept.reduce((sum, entry) => sum + entry.line.length, 0)
    },
    replay() {
      const lines = [...kept.map((entry) => entry.line), ...[...open.values()].map((entry) => entry.line)]
      kept = kept.filter((entry) => entry.repeatable)
      bytes = kept.reduce((sum, entry) => sum + entry.line.length, 0)
      for (const entry of [...kept, ...open.values()]) entry.sent = true
      return lines
    },
    get unsent() {
      return [...kept, ...open.values()].filter((entry) => !entry.sent).length
    },
    get lost() {
      return lost
    },
  }
}
