// A question before what cannot be undone.
import { createInterface } from 'node:readline/promises'
import { Failure, misuse } from './failure.ts'

/** Resolves when a person says yes; throws when not, or when nobody can be asked: with `hint` what to do then. */
export async function confirm(question: string, hint = 'run it in a terminal'): Promise<void> {
  if (!process.stdin.isTTY) throw misuse(`nobody can be asked: ${question}`, hint)
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await reader.question(`${question} [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('not done: the answer was not yes')
  } finally {
    reader.close()
  }
}
