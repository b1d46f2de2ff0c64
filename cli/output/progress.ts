// What a command shows while it waits: a spinner on a terminal, nothing in a pipe.
import { colourOn } from '../settings.ts'

export interface Progress {
  /** What is going on now. */
  say(text: string): void
  /** Writes a line for good, above the spinner. */
  line(text: string): void
  stop(): void
}

/** Shows that something is going on until `work` has ended. */
export async function withProgress<T>(text: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = await startProgress(text)
  try {
    return await work(progress)
  } finally {
    progress.stop()
  }
}

/** Nothing is drawn within the first 300 ms: a quick answer needs no spinner. */
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
