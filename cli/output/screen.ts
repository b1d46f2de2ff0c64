// What is looked at again and again until Ctrl-C: a screen of its own on a terminal, gone afterwards; lines in a pipe.

/** To the first place of the terminal, and nothing left below. */
const [HOME, CLEAR_BELOW, CLEAR_LINE] = ['\u001b[H', '\u001b[J', '\u001b[K']
const [OTHER_SCREEN, OWN_SCREEN] = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l']

/** `screen` is true where each look takes the place of the one before. */
export type Look = (screen: boolean) => Promise<string>

/** Shows what `look` gives, waits for `next`, and again; resolves at Ctrl-C. `lines` keeps to lines on a terminal too. */
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
