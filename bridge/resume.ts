// Resuming a conversation that may be gone: then the agent starts with a new one rather than not at all.
import { parseFrame } from './frames.ts'
import type { Listeners } from './join.ts'
import type { Program } from './program.ts'

/**
 * Starts `resuming`, and `fresh` in its place when the first says before its first answer that it cannot resume: the real
 * CLI then sends an error result, which belongs to no prompt and is kept from the server, and exits.
 */
export function startResuming(
  listeners: Listeners,
  resuming: (listeners: Listeners) => Program,
  fresh: (listeners: Listeners) => Program,
): Program {
  const written: string[] = []
  let undecided = true
  let refused = false
  const first = resuming({
    onNotice: listeners.onNotice,
    onLine(line) {
      const frame = undecided ? parseFrame(line) : null
      if (frame?.['type'] === 'control_response') undecided = false
      if (undecided && frame?.['type'] === 'result' && frame['is_error'] === true) refused = true
      else listeners.onLine(line)
    },
  })
  let current = first
  let stopped = false
  return {
    write(line) {
      if (undecided) written.push(line)
      current.write(line)
    },
    stop() {
      stopped = true
      current.stop()
    },
    ended: first.ended.then((code) => {
      if (!refused || stopped) return code
      listeners.onNotice('the conversation to resume is gone; starting a new one')
      undecided = false
      current = fresh(listeners)
      for (const line of written) current.write(line)
      return current.ended
    }),
  }
}
