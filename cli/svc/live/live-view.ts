// `--watch`: looks again whenever the controller says that something happened.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { ControllerClient } from '../../controller-client.ts'
import { watchOnScreen, type Look } from '../../output/screen.ts'

/** What happens together is looked at once. */
const TOGETHER_MS = 250
/** Ages go on, and an event may be missed by a connection that is broken off. */
const LONGEST_MS = 5000

export const withWatch = (command: Command): Command =>
  command.option('-w, --watch', 'show it again whenever something happens, until Ctrl-C')

/** Resolves at Ctrl-C; fails when the daemon goes away. */
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

/** Of a text that was shown before, the lines that are new. */
export function newLines(): (text: string) => string {
  let before = new Set<string>()
  return (text) => {
    const lines = text.trimEnd().split('\n')
    const fresh = lines.filter((line) => !before.has(line))
    before = new Set(lines)
    return fresh.map((line) => `${line}\n`).join('')
  }
}
