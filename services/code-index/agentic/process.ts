// Runs grep searches in a small process: a fork of it takes less than 1 ms; of a daemon with an index in memory, 10 ms.
import { answer, type Methods } from '../workers/rpc.ts'
import { grep, type GrepAsked, type GrepFound } from './grep.ts'

const [path] = process.argv.slice(2)
const methods = { grep: (asked: GrepAsked): Promise<GrepFound> => grep(asked, path!) } satisfies Methods
export type Grepping = typeof methods

// The parent has exited.
process.on('disconnect', () => process.exit())
answer({ postMessage: (message) => process.send!(message), on: (event, heard) => process.on(event, heard) }, methods)
