// Every command but those of the daemon as one script. Run as a program with the path of the script and that of the
// code to write, it defines all commands, and runs some that need no daemon.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { asScript, compiled, loaded, root } from './script.mjs'

/** `svc serve` and `svc doctor` run in the script of the daemon: what they alone load stays out of this one. */
const withoutDaemon = {
  name: 'without-daemon',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^(\.\.\/)+(daemon|platform)\// }, ({ kind, path, importer }) =>
      kind === 'dynamic-import' && /\/cli\/svc\/daemon\/(serve|doctor)\.ts$/.test(importer)
        ? { path, external: true }
        : undefined,
    ),
}

export const commandScript = (shared) => ({
  ...asScript(shared, 'commands', `export * from './cli/script/programs.ts'`),
  plugins: [withoutDaemon],
})
export const compiledCommands = (script) => compiled(script, fileURLToPath(import.meta.url))

/** One that asks and one that reads manifests; nobody answers at the port. */
const TRIED = [
  ['svc', 'get', 'agents', '--url', 'http://127.0.0.1:1'],
  ['agent', 'list-agents', '--url', 'http://127.0.0.1:1'],
  ['svc', 'validate', join(root, 'manifests')],
]

async function compile(path, cache) {
  const home = mkdtempSync(join(tmpdir(), 'svc-build-'))
  Object.assign(process.env, { HOME: home, SVC_DATA_DIR: join(home, 'data') })
  try {
    const { exports, keep } = loaded(path)
    for (const program of Object.values(exports.programs)) await exports.buildProgram(await program(), null)
    for (const [name, ...words] of TRIED) await exports.runProgram(await exports.programs[name](), words)
    keep(cache)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  await compile(process.argv[2], process.argv[3])
  process.exit(0)
}
