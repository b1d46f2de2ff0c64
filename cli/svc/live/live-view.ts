// Implements `--watch`.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ControllerClient } from '../../controller-client.ts'
import { watchOnScreen, type Look } from '../../output/screen.ts'

/** Debounce of events. */
const TOGETHER_MS = 250
/** Ages change without events, and events can be missed on reconnect. */
const LONGEST_MS = 5000

/** Resolves at Ctrl-C; throws if the connection is lost. */
export async function watchLive(client: ControllerClient, look: Look, lines: boolean): Promise<void> {
  const closed = new AbortController()
  let heard = (): void => undefined
  const listening = (async () => {
    for await (const _event of client.watchEvents({ signal: closed.signal })) heard()
  })()
  listening.catch(() => undefined)
  const next = async (signal: AbortSignal) => {
    const something = new Promise<void>((resolve) => (heard = resolve))
    await Promise.race([something, listening, sleep(LONGEST_MS, undefined, { signal })])
    await sleep(TOGETHER_MS, undefined, { signal })
  }
  try {
    await watchOnScreen(look, next, { lines })
  } finally {
    closed.abort()
  }
}

/** Returns the lines that were not in the previous text. */
export function newLines(): (text: string) => string {
  let before = new Set<string>()
  return (text) => {
    const lines = text.trimEnd().split('\n')
    const fresh = lines.filter((line) => !before.has(line))
    before = new Set(lines)
    return fresh.map((line) => `${line}\n`).join('')
  }
}
