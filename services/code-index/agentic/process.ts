// The process that searches by expression. To start a program the system copies the tables of who starts it: 10 ms for a
// daemon that holds an index, and less than one for this.
import { answer, type Methods } from '../workers/rpc.ts'
import { grep, type GrepAsked, type GrepFound } from './grep.ts'

const [path] = process.argv.slice(2)
const methods = { grep: (asked: GrepAsked): Promise<GrepFound> => grep(asked, path!) } satisfies Methods
export type Grepping = typeof methods

// Who asked is gone.
process.on('disconnect', () => process.exit())
answer({ postMessage: (message) => process.send!(message), on: (event, heard) => process.on(event, heard) }, methods)
