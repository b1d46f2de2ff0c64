// Redraws until Ctrl-C: in the alternate screen of a terminal, as lines in a pipe.

const [HOME, CLEAR_BELOW, CLEAR_LINE] = ['\u001b[H', '\u001b[J', '\u001b[K']
const [OTHER_SCREEN, OWN_SCREEN] = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l']

/** `screen` is true if each output replaces the previous one. */
export type Look = (screen: boolean) => Promise<string>

/** Prints `look`, awaits `next`, repeats; resolves at Ctrl-C. `lines` disables the alternate screen. */
export async function watchOnScreen(
  look: Look,
  next: (signal: AbortSignal) => Promise<unknown>,
  { lines = false }: { lines?: boolean } = {},
): Promise<void> {
  const ended = new AbortController()
  const end = () => ended.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  const isScreen = process.stdout.isTTY && !lines
  if (isScreen) process.stdout.write(OTHER_SCREEN)
  try {
    while (!ended.signal.aborted) {
      const text = await look(isScreen)
      if (isScreen) draw(text)
      else process.stdout.write(text)
      await next(ended.signal).catch((error: unknown) => {
        if (!ended.signal.aborted) throw error
      })
    }
  } finally {
    if (isScreen) process.stdout.write(OWN_SCREEN)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, end)
  }
}

function draw(text: string): void {
  const lines = text.trimEnd().split('\n')
  const kept = lines.slice(0, (process.stdout.rows ?? lines.length + 1) - 1)
  process.stdout.write(`${HOME}${kept.map((line) => `${line}${CLEAR_LINE}`).join('\n')}\n${CLEAR_BELOW}`)
}
