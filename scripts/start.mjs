// `npm start`: a daemon with this repository's manifests.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeReady, root } from './ready.mjs'

// Nothing needs cleanup until the daemon installs its handlers.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0))
makeReady()
// Runs the daemon in this process, so that signals and the exit code are its own.
const program = join(root, 'bin', 'svc')
process.argv = [process.argv[0], program, 'serve', '--manifests', join(root, 'manifests'), ...process.argv.slice(2)]
await import(pathToFileURL(program).href)
