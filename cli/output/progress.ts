// Progress of a waiting command: a spinner on a terminal, nothing in a pipe.
import { colourOn } from '../settings.ts'

export interface Progress {
  say(text: string): void
  /** Prints a permanent line above the spinner. */
  line(text: string): void
  stop(): void
}

export async function withProgress<T>(text: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = await startProgress(text)
  try {
    return await work(progress)
  } finally {
    progress.stop()
  }
}

/** Draws nothing within 300 ms: quick answers need no spinner. */
async function startProgress(text: string): Promise<Progress> {
  const write = (line: string) => void process.stderr.write(`${line}\n`)
  if (!process.stderr.isTTY) return { say: () => undefined, line: write, stop: () => undefined }
  const { default: ora } = await import('ora')
  const spinner = ora({
    text,
    stream: process.stderr,
    discardStdin: false,
    ...(colourOn(process.stderr) ? {} : { color: false as never }),
  })
  const delay = setTimeout(() => spinner.start(), 300)
  return {
    say: (now) => void (spinner.text = now),
    line: (text) => {
      spinner.clear()
      write(text)
    },
    stop: () => {
      clearTimeout(delay)
      spinner.stop()
    },
  }
}
