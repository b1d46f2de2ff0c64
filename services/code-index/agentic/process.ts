// Searches and reads files in a small process: a fork of it takes less than 1 ms; of a daemon with an index in memory, 10 ms.
import type { FileLines } from '../../../schemas/code-index/file.ts'
import { answer, type Methods } from '../workers/rpc.ts'
import { fileLines, type FileAsked } from './file-lines.ts'
import { grep, type GrepAsked, type GrepFound } from './grep.ts'

const [path] = process.argv.slice(2)
const methods = {
  grep: (asked: GrepAsked): Promise<GrepFound> => grep(asked, path!),
  fileLines: async (asked: FileAsked): Promise<FileLines> => fileLines(asked),
} satisfies Methods
export type Grepping = typeof methods

// The parent has exited.
process.on('disconnect', () => process.exit())
answer({ postMessage: (message) => process.send!(message), on: (event, heard) => process.on(event, heard) }, methods)
