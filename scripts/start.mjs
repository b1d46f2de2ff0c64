// `npm start`: from a fresh clone to a running daemon with the manifests of this repository.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeReady, root } from './ready.mjs'

// Until the daemon takes its signals itself there is nothing to undo.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0))
makeReady()
// The daemon takes this very process over, so that signals and the exit code are its own.
const program = join(root, 'bin', 'svc')
process.argv = [process.argv[0], program, 'serve', '--manifests', join(root, 'manifests'), ...process.argv.slice(2)]
await import(pathToFileURL(program).href)
