import { createInterface } from 'node:readline/promises'
import { Failure, misuse } from './failure.ts'

/** Asks for a yes. Throws if the answer is not yes or standard input is not a terminal; `hint` is the next step. */
export async function confirm(question: string, hint = 'run it in a terminal'): Promise<void> {
  if (!process.stdin.isTTY) throw misuse(`confirmation required: ${question}`, hint)
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await reader.question(`${question} [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('cancelled: the answer was not yes')
  } finally {
    reader.close()
  }
}
