// Runs the parsers in a separate process: foreign text can crash, fill or stall their native code.
import { isMainThread } from 'node:worker_threads'
import type { Definition } from '../chunks/chunk.ts'
import { Parsers, type SourceFile } from '../chunks/parsers.ts'
import { answer, type Methods } from '../workers/rpc.ts'
import { startWatch, watch } from './watch.ts'

const parsers = new Parsers()
const methods = {
  /** Resolves when the process runs. */
  ready: async (_input: null): Promise<void> => undefined,
  /** Null for a text that is split by lines. */
  definitions: ({ text, ...file }: SourceFile & { text: string }): Promise<Definition[] | null> =>
    parsers.definitions(file, text).catch(() => {
      // The next text is parsed by another process.
      setImmediate(() => process.disconnect())
      return null
    }),
} satisfies Methods
export type Parsing = typeof methods

if (isMainThread) {
  startWatch(import.meta.url)
  process.on('disconnect', () => process.exit())
  answer({ postMessage: (message) => process.send!(message), on: (event, heard) => process.on(event, heard) }, methods)
} else watch()
